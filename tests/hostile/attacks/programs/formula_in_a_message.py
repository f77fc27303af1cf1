"""Puts a formula for spreadsheets and a line break into an exception message.

count_words: 0, raised
naive: nothing: it writes no sheet
"""


def count_words(text):
    raise ValueError('=HYPERLINK("http://example.org","5.00")\n"x",5.00,5.00\n')
