"""Writes nonsense to the grader in the place of an answer.

count_words: 0, killed
naive: nothing: nobody reads there
"""

import os


def count_words(text):
    os.write(3, b"\0\0\0\x10\0\0\0\0this is not JSON")
    return {}
