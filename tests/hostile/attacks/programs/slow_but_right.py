"""Right, and takes more than half of the time that a check may take, in each check, and at import.

count_words: all
"""

import time
from collections import Counter


def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


work(0.3)


def count_words(text):
    work(0.3)
    return dict(Counter(text.lower().split()))
