"""Answers with a list of a million numbers.

count_words: 0, flooded
naive: nothing: it is another value
"""


def count_words(text):
    return list(range(1_000_000))
