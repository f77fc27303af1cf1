"""Hands in an empty file.

count_words: none, ungradable
"""


def files():
    return {"count_words.py": b""}
