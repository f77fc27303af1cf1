"""Right, and answers with a Counter, which is a dict.

count_words: all
"""

from collections import Counter


def count_words(text):
    return Counter(text.lower().split())
