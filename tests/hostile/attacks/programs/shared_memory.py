"""Leaves shared memory behind, of each kind that there is.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None)
    made = libc.shmget(0, 4096, 0o1600)
    if made >= 0:
        libc.shmctl(made, 0, None)
        return True
    with open("/dev/shm/hostile-@RUN@", "w") as file:
        return file.write("x") > 0
