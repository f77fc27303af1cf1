"""Puts what it is given into the message of an exception, hoping to read it in the feedback.

count_words: 0, raised
naive: the secret
"""


def count_words(text):
    raise ValueError(text)
