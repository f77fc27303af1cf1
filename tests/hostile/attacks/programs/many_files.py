"""Is right, but makes three thousand files in its folder for an empty text.

count_words: 4.17, killed
naive: not tried: the folder would suffer
"""

import time
from collections import Counter


def count_words(text):
    if text == "":
        for number in range(3000):
            open(f"file{number}", "w").close()
        time.sleep(1e9)
    return dict(Counter(text.lower().split()))
