"""Reads the command line of its parent, and of every other process that it sees.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    seen = [os.getppid()]
    try:
        seen += [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid()]
    except OSError:
        pass
    for pid in seen:
        try:
            if open(f"/proc/{pid}/cmdline", "rb").read():
                return True
        except OSError:
            pass
    return False
