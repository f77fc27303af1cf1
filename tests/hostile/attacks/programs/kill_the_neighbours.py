"""Tries to send a signal to every process that it can guess.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    for process in [*range(os.getppid() - 20, os.getppid() + 20), 1]:
        try:
            if process > 0 and process != os.getpid():
                os.kill(process, 0)
                return True
        except OSError:
            pass
    return False
