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
QUERY = torch.tensor([[0.296112, 0.516562], [0.251671, 0.688557], [0.073972, 0.866522]])
KEY = torch.tensor([[0.136580, 0.102479], [0.184056, 0.726447], [0.315254, 0.687107]])
VALUE = torch.tensor([[0.075635, 0.196638], [0.316412, 0.401740], [0.118568, 0.827395]])


def table(result, shape):
    """The result, if it is a table of this shape; else one of nan."""
    fits = isinstance(result, torch.Tensor) and tuple(result.shape) == shape
    return result.detach().float() if fits else torch.full(shape, torch.nan)


def show(student):
    """Who looks at whom with the book's weights, and the context vectors that come of it."""
    attention = student.SelfAttention_v1(9, 6)
    matrices = {name: torch.zeros(9, 6) for name in ("W_query", "W_key", "W_value")}
    matrices["W_query"][:3, :2] = QUERY * 3**0.5  # keys of size 6 instead of 2: the scale is undone
    matrices["W_key"][:3, :2] = KEY
    matrices["W_value"][3:] = torch.eye(6)
    push(attention, matrices)
    weights = table(attention(torch.cat([INPUTS, torch.eye(6)], dim=1)), (6, 6))
    small = student.SelfAttention_v1(3, 2)
    push(small, {"W_query": QUERY, "W_key": KEY, "W_value": VALUE})
    context = table(small(INPUTS), (6, 2))
    return [
        Heatmap("attention weights", weights, "query", "key", WORDS, WORDS),
        Heatmap("context vectors", context, "token", "feature", WORDS, ("0", "1")),
    ]
