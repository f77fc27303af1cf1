"""The query matrix in both modules, and what both make of the book's six words."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import StudentRaised, push, read

NAMES = ("W_query", "W_key", "W_value")
WORDS = ("Your", "journey", "starts", "with", "one", "step")
INPUTS = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
WEIGHTS = (  # of the book's example, as nn.Linear(3, 2) stores them
    [[0.316059083, 0.456808567, 0.51183486], [-0.1682854, -0.337877035, -0.0917738676]],
    [[0.405805826, -0.470420539, 0.236805201], [0.213360742, -0.260050654, -0.510542989]],
    [[0.252569884, -0.14147827, -0.196181342], [0.519107401, -0.0851675794, -0.204327047]],
)
TWINS = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

NAMES = ("W_query", "W_key", "W_value")

class SelfAttention_v1(nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Parameter(torch.zeros(3, 2)))

    def forward(self, x):
        return scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

class SelfAttention_v2(nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Linear(3, 2, bias=False))

    def forward(self, x):
        return scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))
"""


def contexts(module):
    """The context vectors of the six words; an empty table if the module cannot work out any."""
    try:
        found = module(INPUTS[None])
    except StudentRaised:
        found = None
    return (
        found[0].detach()
        if tuple(getattr(found, "shape", ())) == (1, 6, 2)
        else torch.full((6, 2), torch.nan)
    )


def numbered(word, count):
    """Labels such as input 0, input 1, input 2."""
    return tuple(f"{word} {index}" for index in range(count))


def show(student):
    """The matrices side by side after the transfer, then the context vectors."""
    twins = student.define(TWINS)
    v2, v1 = twins.SelfAttention_v2(), twins.SelfAttention_v1()
    push(v2, {f"{name}.weight": torch.tensor(rows) for name, rows in zip(NAMES, WEIGHTS, strict=True)})
    before = contexts(v2)
    student.transfer_weights(v2, v1)
    arrived = read(v1, "W_query")
    if getattr(arrived, "ndim", 0) != 2:
        arrived = torch.full((3, 2), torch.nan)
    rows, columns = arrived.shape
    stored, outputs = torch.tensor(WEIGHTS[0]), numbered("output", 2)
    return [
        Heatmap("v2.W_query.weight", stored, "row", "column", outputs, numbered("input", 3)),
        Heatmap(
            "v1.W_query after the transfer",
            arrived.detach(),
            "row",
            "column",
            numbered("input", 3) if rows == 3 else (),
            outputs if columns == 2 else (),
        ),
        Heatmap("Context vectors of v2, before the transfer", before, "token", "feature", WORDS, outputs),
        Heatmap("Context vectors of v1, after it", contexts(v1), "token", "feature", WORDS, outputs),
    ]
