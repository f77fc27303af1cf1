"""Looks at what lies in the folders for temporary files.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    for folder in ("@TMP@", "/tmp", "/var/tmp", "/dev/shm"):
        try:
            if os.listdir(folder):
                return True
        except OSError:
            pass
    return False
