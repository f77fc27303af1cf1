"""Hands in a notebook whose JSON is a hundred thousand lists deep.

count_words: none, ungradable
"""


def files():
    return {"count_words.ipynb": b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"}
