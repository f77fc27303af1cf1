"""Writes to the terminal of whoever grades, or types into it.

count_words: 0, wrong-value, attempt
naive: nothing: it has no terminal
"""

import os


def attempt():
    return os.write(os.open("/dev/tty", os.O_RDWR), b"") == 0
