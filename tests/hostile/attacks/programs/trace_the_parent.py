"""Attaches to its parent as a debugger does.

count_words: 0, wrong-value, attempt
naive: not tried: the parent would stop
"""

import ctypes
import os


def attempt():
    return ctypes.CDLL(None).ptrace(0x4206, os.getppid(), 0, 0) == 0
