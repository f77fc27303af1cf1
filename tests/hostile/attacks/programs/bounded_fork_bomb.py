"""Forks again and again: ten times here, so that the machine lives where nothing stops it.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    children = []
    for _ in range(10):
        child = os.fork()
        if child == 0:
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    return True
