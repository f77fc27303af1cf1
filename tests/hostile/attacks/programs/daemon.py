"""Becomes a daemon that lives on after the grading and writes where it likes.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os
import time


def attempt():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.2)
        os._exit(0)
    return True
