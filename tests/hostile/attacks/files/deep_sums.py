"""Hands in a sum of a hundred thousand numbers: a tree that is too deep to walk through.

count_words: 0, raised
"""

from tests.hostile import WRONG


def files():
    return {"count_words.py": b"x = " + b"1+" * 100_000 + b"1\n" + WRONG}
