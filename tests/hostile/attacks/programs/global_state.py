"""Right, and changes folder, seed, encoding, signals and recursion limit of its process.

count_words: all
"""

import os
import random
import signal
import sys
from collections import Counter

os.chdir(os.environ.get("HOME", "."))
random.seed(1)
sys.setrecursionlimit(5000)
signal.signal(signal.SIGINT, lambda *given: None)
sys.stdout.reconfigure(encoding="latin-1")


def count_words(text):
    return dict(Counter(text.lower().split()))
