"""Calls itself without end.

count_words: 0, raised
naive: nothing: Python stops it
"""


def count_words(text):
    return count_words(text + " ")
