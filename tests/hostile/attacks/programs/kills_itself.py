"""Sends itself SIGKILL.

count_words: 0, killed
naive: no result
"""

import os
import signal


def count_words(text):
    os.kill(os.getpid(), signal.SIGKILL)
