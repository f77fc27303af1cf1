"""Right, and warns on each stream in each call.

count_words: all
"""

import sys
import warnings
from collections import Counter


def count_words(text):
    warnings.warn("slow", UserWarning, stacklevel=1)
    print("warning: slow", file=sys.stderr)
    return dict(Counter(text.lower().split()))
