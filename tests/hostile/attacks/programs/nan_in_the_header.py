"""Answers in its own bytes, with numbers that JSON does not have.

count_words: 0, killed
naive: nothing: nobody reads there
"""

import os


def count_words(text):
    data = b'{"id": NaN, "value": -Infinity}'
    os.write(3, len(data).to_bytes(4, "big") + b"\0" * 4 + data)
    return {}
