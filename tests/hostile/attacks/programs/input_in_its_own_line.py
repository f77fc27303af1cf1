"""Puts what it is given into the lines that are shown of its own program.

count_words: 0, raised
naive: nothing: the lines that are shown are read anew
"""

import linecache
import sys


def count_words(text):
    name = sys._getframe().f_code.co_filename
    linecache.cache[name] = (1, None, [f"{text}\n"] * 400, name)
    raise ValueError("look at the line")