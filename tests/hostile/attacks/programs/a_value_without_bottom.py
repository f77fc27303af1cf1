"""Answers with a list that holds itself.

count_words: 0, wrong-value
naive: nothing: it is another value
"""


def count_words(text):
    value = []
    value.append(value)
    return {"fish": value}
