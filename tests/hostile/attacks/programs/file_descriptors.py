"""Looks for files that its process has inherited.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os
import stat


def attempt():
    for descriptor in range(256):
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode) or stat.S_ISDIR(os.fstat(descriptor).st_mode):
                return True
        except OSError:
            pass
    return False
