"""Hands in twenty thousand choices, each in the other, for which the compiler has no room.

count_words: 0, out-of-memory
"""

from tests.hostile import WRONG


def files():
    return {"count_words.py": b"x = " + b"1 if 1 else " * 20_000 + b"1\n" + WRONG}
