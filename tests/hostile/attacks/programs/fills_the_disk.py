"""Is right, but fills its folder with file after file for an empty text.

count_words: 4.17, killed
naive: not tried: the disk would suffer
"""

import time
from collections import Counter


def count_words(text):
    if text == "":
        for number in range(20):
            with open(f"file{number}", "wb") as file:
                for _ in range(7):
                    file.write(bytes(1 << 20))
        time.sleep(1e9)
    return dict(Counter(text.lower().split()))
