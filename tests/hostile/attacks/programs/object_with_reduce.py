"""Answers with an object that would run a command if somebody unpickled it.

count_words: 0, wrong-value
naive: nothing: it does not pickle
"""

import os


class Bomb:
    def __reduce__(self):
        return os.system, ("touch @OUTSIDE@/unpickled",)


def count_words(text):
    return Bomb()
