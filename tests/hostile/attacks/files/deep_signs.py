"""Hands in a program of two hundred thousand signs before a number: a deep tree without a bracket.

count_words: 0, out-of-memory
"""


def files():
    return {"count_words.py": b"x = " + b"-" * 200_000 + b"1\n"}
