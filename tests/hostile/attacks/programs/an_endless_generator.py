"""Answers with a generator that never ends.

count_words: 0, wrong-value
naive: nothing: it is another value
"""


def count_words(text):
    while True:
        yield "fish", 2
