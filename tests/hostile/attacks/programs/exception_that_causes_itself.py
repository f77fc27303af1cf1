"""Raises an exception that is its own cause, in a group of itself.

count_words: 0, raised
naive: nothing: pytest has an answer to it
"""


def count_words(text):
    error = ValueError("again")
    group = ExceptionGroup("all", [error] * 1000)
    error.__cause__ = group
    group.__context__ = error
    raise group
