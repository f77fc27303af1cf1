"""Looks into the frames of other threads.

count_words: 0, wrong-value, attempt
naive: nothing: it has one thread
"""

import sys
import threading


def attempt():
    me = threading.get_ident()
    return any(thread != me for thread in sys._current_frames())
