"""Right, by a pool of threads that is still there when the check is over.

count_words: all
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(4)


def count_words(text):
    return POOL.submit(lambda: dict(Counter(text.lower().split()))).result()
