"""Hands in a program of brackets, a hundred thousand deep, which brings compilers down.

count_words: 0, raised
"""


def files():
    return {"count_words.py": b"x = " + b"(" * 100_000 + b")" * 100_000 + b"\n"}
