"""Hands in a program of ten thousand null bytes.

count_words: none, ungradable
"""


def files():
    return {"count_words.py": bytes(10_000)}
