"""Right, and makes an error of every warning from here on.

count_words: all
"""

import warnings
from collections import Counter

warnings.simplefilter("error")


def count_words(text):
    return dict(Counter(text.lower().split()))
