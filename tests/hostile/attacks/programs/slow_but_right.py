"""Right, and slow: most of what a check may take is gone at import, and a third of it in each call.

count_words: all
"""

import time
from collections import Counter


def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


work(0.8)


def count_words(text):
    work(0.3)
    return dict(Counter(text.lower().split()))
