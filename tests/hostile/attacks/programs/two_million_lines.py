"""Right, and prints two million lines for an empty text.

count_words: all
"""

from collections import Counter


def count_words(text):
    if text == "":
        print("x\n" * 2_000_000)
    return dict(Counter(text.lower().split()))
