"""Answers with a list of two hundred thousand numbers.

count_words: 0, flooded
naive: nothing: it is another value
"""


def count_words(text):
    return list(range(200_000))
