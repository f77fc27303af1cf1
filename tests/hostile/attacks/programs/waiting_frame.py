"""Is right, but for an empty text it writes half of an answer and sleeps.

count_words: 4.17, timed-out
naive: not tried: it sleeps
"""

import os
import time
from collections import Counter


def count_words(text):
    if text == "":
        os.write(3, b"\0\0\0\x40\0\0\0\0{")
        time.sleep(1e9)
    return dict(Counter(text.lower().split()))
