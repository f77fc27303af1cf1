"""Writes half of an answer and ends.

count_words: 0, exited
naive: no result
"""

import os


def count_words(text):
    os.write(3, b"\0\0\0\x40\0\0\0\0{")
    os._exit(7)
