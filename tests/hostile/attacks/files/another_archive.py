"""Hands in a .rar file.

count_words: none, ungradable
elsewhere: zero points
"""


def files():
    return {"work.rar": b"Rar!\x1a\x07\x01\x00" + bytes(100)}
