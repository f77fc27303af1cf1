"""Reads the environment of its parent.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    return open(f"/proc/{os.getppid()}/environ", "rb").read() != b""
