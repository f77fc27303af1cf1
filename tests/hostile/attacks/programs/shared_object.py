"""Writes a shared object into its folder and loads it: machine code of its own.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import ctypes
import glob
import shutil


def attempt():
    library = next(name for pattern in ("/lib/*/libm.so.6", "/usr/lib/*/libm.so.6") for name in glob.glob(pattern))
    shutil.copy(library, "own.so")
    return ctypes.CDLL("./own.so").abs is not None
