"""Reads its parent's memory by process_vm_readv.

count_words: 0, wrong-value, attempt
naive: not tried: root may, others not on every kernel
"""

import ctypes
import os


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(8)
    here = Vector(ctypes.addressof(room), 8)
    there = Vector(4096, 8)  # nothing lies there: EFAULT says that one may look
    libc.process_vm_readv(os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return ctypes.get_errno() == 14
