"""Hands in a picture under the name of the program.

count_words: none, ungradable
"""


def files():
    return {"count_words.py": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8}
