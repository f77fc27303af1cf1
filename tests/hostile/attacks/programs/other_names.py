"""Wrong in one thing: the function has another name.

count_words: 0, missing
naive: nothing: there is no such name
"""

from collections import Counter


def word_count(text):
    return dict(Counter(text.lower().split()))
