"""Hands in an empty file.

count_words: 0, missing
"""


def files():
    return {"count_words.py": b""}
