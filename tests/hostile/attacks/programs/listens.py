"""Opens a port, for somebody to connect to.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import socket


def attempt():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1] > 0
