"""Right, and asks for a text at the end of the file, to be tried by hand.

count_words: all
"""

from collections import Counter


def count_words(text):
    return dict(Counter(text.lower().split()))


print(count_words(input("A text: ")))
