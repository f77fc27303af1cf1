"""Listens under a name that is in no folder and outlives nothing but its process.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import socket


def attempt():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0hostile-@RUN@")
    server.listen()
    return True
