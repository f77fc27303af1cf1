"""Opens the gradebook.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return open("@GRADEBOOK@", "rb").read() != b""
