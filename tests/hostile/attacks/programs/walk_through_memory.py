"""Writes its own memory, address by address, into a pipe and looks for a secret that a parent may have left there.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os
import re


def attempt():
    import ctypes

    libc = ctypes.CDLL(None)
    needle = re.compile(b"-fo-YRANAC"[::-1] + b"[a-z]")
    seen = set()
    for start in {id(value) >> 22 for value in list(globals().values()) + [b"", (), {}, [], 0, object()]}:
        read, write = os.pipe()
        for page in range(start << 10, (start + 1) << 10):
            if page in seen:
                continue
            seen.add(page)
            if libc.write(write, ctypes.c_void_p(page << 12), 4096) == 4096 and needle.search(os.read(read, 4096)):
                return True
        os.close(read)
        os.close(write)
    return False
