"""Reads from address 0.

count_words: 0, killed
naive: no result
"""

import ctypes


def count_words(text):
    ctypes.string_at(0)
