"""Sends tensors in its own bytes: tables that promise more numbers than there are bytes.

causal_mask: 0, killed
naive: nothing: nobody reads there
"""

import json
import os
import sys

SHAPES = [[2**63], [2**31, 2**31], [7, 7], [-1, 49], [2**62, 0], [7.5, 7]]


def forged():
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    number = frame.f_locals["request"]["id"] if frame else 0
    SHAPES.append(SHAPES.pop(0))
    head = json.dumps({"id": number, "value": {"tensor": {"bytes": 0, "grad": False}}}).encode()
    table = json.dumps({"0": {"dtype": "F32", "shape": SHAPES[0], "data_offsets": [0, 4]}}).encode()
    blob = len(table).to_bytes(8, "little") + table + b"\0" * 4
    os.write(3, len(head).to_bytes(4, "big") + len(blob).to_bytes(4, "big") + head + blob)


def causal_mask(num_tokens, device=None):
    forged()


def mask_after_softmax(weights):
    forged()


def mask_before_softmax(scores, d_k):
    forged()
