"""Right, and prints while it is imported, also what no console can show.

count_words: all
"""

import sys
from collections import Counter

print("hello ☃ \ud800".encode("utf-8", "replace"))
print("\0\x1b[31m", flush=True)
sys.stdout.buffer.write(b"\xff\xfe\0")


def count_words(text):
    return dict(Counter(text.lower().split()))
