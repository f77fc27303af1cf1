"""Hands in a program with a syntax error.

count_words: 0, raised
"""


def files():
    return {"count_words.py": b"def count_words(text)\n    return {}\n"}
