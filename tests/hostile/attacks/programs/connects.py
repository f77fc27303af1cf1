"""Opens connections to the outside: the network, a name server, a socket of this machine.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import socket


def attempt():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
            try:
                socket.socket(family, kind).close()
                return True
            except OSError:
                pass
    return False
