"""Opens the memory of its parent.

count_words: 0, wrong-value, attempt
naive: nothing: only root may, or the same user where the kernel allows it
"""

import os


def attempt():
    return os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY) > 0
