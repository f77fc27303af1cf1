"""The attention weights of the book's sentence, read off the class by giving each word a value of its own."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import push

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
QUERY = torch.tensor([[0.316059, 0.456809, 0.511835], [-0.168285, -0.337877, -0.091774]])
KEY = torch.tensor([[0.405806, -0.470421, 0.236805], [0.213361, -0.260051, -0.510543]])
VALUE = torch.tensor([[0.252570, -0.141478, -0.196181], [0.519107, -0.085168, -0.204327]])


def table(result, shape):
    """The result, if it is a table of this shape; else one of nan."""
    fits = isinstance(result, torch.Tensor) and tuple(result.shape) == shape
    return result.detach().float() if fits else torch.full(shape, torch.nan)


def show(student):
    """Who looks at whom with the book's weights, and the context vectors that come of it."""
    attention = student.SelfAttention_v2(9, 6)
    layers = {f"{name}.weight": torch.zeros(6, 9) for name in ("W_query", "W_key", "W_value")}
    layers["W_query.weight"][:2, :3] = QUERY * 3**0.5  # keys of size 6 instead of 2: the scale is undone
    layers["W_key.weight"][:2, :3] = KEY
    layers["W_value.weight"][:, 3:] = torch.eye(6)
    push(attention, layers)
    weights = table(attention(torch.cat([INPUTS, torch.eye(6)], dim=1)), (6, 6))
    small = student.SelfAttention_v2(3, 2)
    push(small, {"W_query.weight": QUERY, "W_key.weight": KEY, "W_value.weight": VALUE})
    context = table(small(INPUTS), (6, 2))
    return [
        Heatmap("attention weights", weights, "query", "key", WORDS, WORDS),
        Heatmap("context vectors", context, "token", "feature", WORDS, ("0", "1")),
    ]
