"""Is right, but sleeps for thirty years over an empty text.

count_words: 4.17, timed-out
naive: not tried: it has no end
"""

import time
from collections import Counter


def count_words(text):
    if text == "":
        time.sleep(1e9)
    return dict(Counter(text.lower().split()))
