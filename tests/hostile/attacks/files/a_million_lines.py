"""Hands in a program of a million statements, which costs whoever compiles it a gigabyte.

count_words: 0, timed-out
"""

from tests.hostile import WRONG


def files():
    return {"count_words.py": b"x=1\n" * 1_000_000 + WRONG}
