"""Hands in a .rar file.

count_words: none, ungradable
"""


def files():
    return {"work.rar": b"Rar!\x1a\x07\x01\x00" + bytes(100)}
