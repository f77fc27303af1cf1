"""Raises its own limits, and changes its priority and its processors.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os
import resource


def attempt():
    done = False
    for change in (
        lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] + 1)),
        lambda: os.nice(1),
        lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    ):
        try:
            change()
            done = True
        except (OSError, ValueError):
            pass
    return done
