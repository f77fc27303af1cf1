"""Hands in an empty file.

count_words: 0, missing
elsewhere: the whole class stops
"""


def files():
    return {"count_words.py": b""}
