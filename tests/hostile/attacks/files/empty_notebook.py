"""Hands in a notebook file of no bytes.

count_words: none, ungradable
"""


def files():
    return {"count_words.ipynb": b""}
