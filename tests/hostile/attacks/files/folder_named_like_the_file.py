"""Hands in a folder that is called count_words.py, with nothing of use in it.

count_words: 0, missing
"""


def files():
    return {"count_words.py/notes.txt": b"it did not work on my machine\n"}
