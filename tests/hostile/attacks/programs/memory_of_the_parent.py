"""Opens the memory of its parent.

count_words: 0, wrong-value, attempt
naive: not tried: root may, others not on every kernel
"""

import os


def attempt():
    return os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY) > 0
