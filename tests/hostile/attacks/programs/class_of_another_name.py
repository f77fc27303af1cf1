"""Answers with an object whose class claims to be a dict with a name of ten thousand letters.

count_words: 0, wrong-value
naive: nothing: it is not equal
"""


class Meta(type):
    def __instancecheck__(cls, instance):
        return True


def count_words(text):
    return Meta("dict" + "x" * 10_000, (), {})()
