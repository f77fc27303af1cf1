"""Prints what it is given, warns of it, logs it, and writes it to both streams.

count_words: 0, wrong-value
naive: the secret
"""

import logging
import sys
import warnings


def count_words(text):
    print(text)
    print(text, file=sys.stderr, flush=True)
    warnings.warn(str(text), stacklevel=1)
    logging.getLogger().warning(text)
    return {}
