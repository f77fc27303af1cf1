"""Sends forms that are no values: tags that do not exist, handles below zero, keys that cannot be kept.

count_words: 0, killed
naive: nothing: it has no such forms
"""

import json
import os
import sys

FORMS = [
    {"object": {"id": -1}},
    {"dict": [[{"dict": []}, 1]]},
    {"float": "seven"},
    {"int": "0x" + "f" * 100_000},
    {"set": [[]]},
    {"tuple": 5},
    {"no such tag": 1},
]


def count_words(text):
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    number = frame.f_locals["request"]["id"] if frame else 0
    FORMS.append(FORMS.pop(0))
    data = json.dumps({"id": number, "value": FORMS[0]}).encode()
    os.write(3, len(data).to_bytes(4, "big") + b"\0" * 4 + data)
    return {}
