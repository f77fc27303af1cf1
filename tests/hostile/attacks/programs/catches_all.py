"""Right, and catches every exception that there is, where it should not.

count_words: all
"""

from collections import Counter


def count_words(text):
    try:
        return dict(Counter(text.lower().split()))
    except BaseException as error:
        raise TypeError("a text, please") from error
