"""Hands in a program that adds up ten thousand numbers, one in the other: a deep tree with no bracket.

count_words: 0, raised and killed
elsewhere: the whole class stops
"""


def files():
    return {"count_words.py": b"x = " + b"-" * 200_000 + b"1\n"}
