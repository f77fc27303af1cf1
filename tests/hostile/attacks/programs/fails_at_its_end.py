"""Right, and a trial at the end of the file fails.

count_words: all
"""

from collections import Counter


def count_words(text):
    return dict(Counter(text.lower().split()))


assert count_words("a") == {"b": 1}
