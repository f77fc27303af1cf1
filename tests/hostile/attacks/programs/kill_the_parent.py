"""Tries to send a signal to its parent.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    os.kill(os.getppid(), 0)
    return True
