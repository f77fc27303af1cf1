"""Sends tensors in its own bytes that overlap, and one whose table is longer than the frame.

causal_mask: 0, killed
naive: nothing: nobody reads there
"""

import json
import os
import sys


def forged(blob):
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    number = frame.f_locals["request"]["id"] if frame else 0
    head = json.dumps({"id": number, "value": {"tensor": {"bytes": 1, "grad": False}}}).encode()
    os.write(3, len(head).to_bytes(4, "big") + len(blob).to_bytes(4, "big") + head + blob)


def table(entries, body):
    text = json.dumps(entries).encode()
    return len(text).to_bytes(8, "little") + text + body


def causal_mask(num_tokens, device=None):
    one = {"dtype": "BOOL", "shape": [4], "data_offsets": [0, 4]}
    forged(table({"0": one, "1": one}, b"\0" * 4))


def mask_after_softmax(weights):
    forged((2**63).to_bytes(8, "little") + b"{}")


def mask_before_softmax(scores, d_k):
    forged(table({"0": {"dtype": "BOOL", "shape": [1], "data_offsets": [0, 1]}, "1": 7}, b"\7"))
