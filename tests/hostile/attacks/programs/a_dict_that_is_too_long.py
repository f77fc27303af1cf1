"""Answers with a dict of a hundred thousand words.

count_words: 0, wrong-value
naive: nothing: it is another value
"""


def count_words(text):
    return {str(number): number for number in range(100_000)}
