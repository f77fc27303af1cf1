"""Writes to the grader without end.

count_words: 0, killed
naive: not tried: it has no end
"""

import os


def count_words(text):
    while True:
        os.write(3, b"\0\x0f\xff\xff\0\0\0\0" + b" " * 1_200_000)
