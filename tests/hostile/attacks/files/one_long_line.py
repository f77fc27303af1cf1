"""Hands in a line of four million characters.

count_words: 0, wrong-value
"""

from tests.hostile import WRONG


def files():
    return {"count_words.py": b"x = " + b"7" * 10 + b" " * 3_900_000 + b"\n" + WRONG}
