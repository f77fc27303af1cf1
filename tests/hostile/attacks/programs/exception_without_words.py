"""Raises an exception whose message, when asked for, raises another one, and so on.

count_words: 0, raised
naive: nothing: pytest has an answer to it
"""


class Silent(Exception):
    def __str__(self):
        raise Silent

    __repr__ = __str__


def count_words(text):
    raise Silent
