"""Answers with a text of ten million letters, which costs the grader time to compare.

count_words: 0, wrong-value
naive: nothing: it is another value
"""


def count_words(text):
    return "fish " * 2_000_000
