"""Right, and closes its standard output and error.

count_words: all
"""

import sys
from collections import Counter

sys.stdout.close()
sys.stderr = None


def count_words(text):
    return dict(Counter(text.lower().split()))
