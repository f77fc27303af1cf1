"""Hands in a notebook file of no bytes.

count_words: none, ungradable
elsewhere: the whole class stops
"""


def files():
    return {"count_words.ipynb": b""}
