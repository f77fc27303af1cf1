"""Right, and ends with sys.exit() at the end of the file.

count_words: all
"""

import sys
from collections import Counter


def count_words(text):
    return dict(Counter(text.lower().split()))


print(count_words("a b a"))
sys.exit()
