"""Uses what root may do: another root folder, another host name, a mount of its own.

count_words: 0, wrong-value, attempt
naive: not tried: the machine would suffer
"""

import os
import socket


def attempt():
    try:
        socket.sethostname(socket.gethostname())
        return True
    except OSError:
        os.chroot(".")
        return True
