"""Writes a better mark into the gradebook.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    with open("@GRADEBOOK@", "ab") as file:
        return file.write(b"") == 0
