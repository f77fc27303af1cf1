"""Puts what it is given into the lines that are shown of its own program.

count_words: 0, raised
naive: the secret
"""

import linecache
import sys

calls = []


def count_words(text):
    calls.append(text)
    name = sys._getframe().f_code.co_filename
    linecache.cache[name] = (1, None, [f"{text}\n"] * 400, name)
    raise ValueError(f"look at the line: {len(calls)}")
