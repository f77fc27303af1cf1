"""Starts two hundred threads, which wait.

count_words: 0, wrong-value
naive: nothing: they do no harm in it
"""

import threading
import time


def count_words(text):
    for _ in range(200):
        try:
            threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
        except RuntimeError:
            break
    time.sleep(1)
    return {}
