"""Hands in a note.

count_words: 0, missing
"""


def files():
    return {"sorry.txt": b"I was ill.\n"}
