"""Fills its folder with file after file, for an empty text.

count_words: 0.84, killed
naive: not tried: the disk would suffer
elsewhere: the disk is full for all
"""

import time


def count_words(text):
    if text == "":
        for number in range(20):
            with open(f"file{number}", "wb") as file:
                for _ in range(7):
                    file.write(bytes(1 << 20))
        time.sleep(1e9)
    return {}