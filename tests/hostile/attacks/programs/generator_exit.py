"""Raises GeneratorExit, which is no Exception.

count_words: 0, raised
naive: nothing: pytest catches it
elsewhere: a pass
"""


def count_words(text):
    raise GeneratorExit
