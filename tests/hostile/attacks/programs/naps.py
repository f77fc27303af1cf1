"""Right, and sleeps a little longer than the limit of computing time: sleep is not computing.

count_words: all
"""

import time
from collections import Counter


def count_words(text):
    if text == "":
        time.sleep(1.3)
    return dict(Counter(text.lower().split()))
