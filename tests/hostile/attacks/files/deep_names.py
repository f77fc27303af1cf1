"""Hands in a name with fifty thousand dots.

count_words: 0, raised
"""

from tests.hostile import WRONG


def files():
    return {"count_words.py": b"a = 1\nx = a" + b".real" * 50_000 + b"\n" + WRONG}
