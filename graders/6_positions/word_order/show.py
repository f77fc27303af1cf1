"""Attention weights before and after a change of order, and the two errors that the student measures."""

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
ORDER = (5, 0, 1, 2, 3, 4)  # the last word comes first
ORDERS = {
    "as it is": (0, 1, 2, 3, 4, 5),
    "first two": (1, 0, 2, 3, 4, 5),
    "last two": (0, 1, 2, 3, 5, 4),
    "reversed": (5, 4, 3, 2, 1, 0),
}
MATRICES = {
    "W_query.weight": torch.tensor([[2.0, -1.0, 0.5], [0.0, 1.5, -2.0], [1.0, 1.0, 1.0]]),
    "W_key.weight": torch.tensor([[1.0, 0.5, -1.5], [-1.0, 2.0, 0.0], [0.5, -0.5, 2.0]]),
    "W_value.weight": torch.tensor([[1.0, 0.0, 2.0], [0.0, -2.0, 1.0], [1.5, 1.0, 0.0]]),
}
MODULES = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

class Attention(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(3, 3, bias=False))

    def forward(self, x):
        if self.kind == "positioned":
            x = x + torch.sin(torch.arange(x.shape[1])).unsqueeze(1)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        contexts = scaled_dot_product_attention(queries, keys, values, is_causal=self.kind == "causal")
        return contexts.mean(dim=1) if self.kind == "pooled" else contexts
"""


def weights(x):
    """The weights (tokens, tokens) of plain attention with the matrices above."""
    queries, keys = x @ MATRICES["W_query.weight"].T, x @ MATRICES["W_key.weight"].T
    return torch.softmax(queries @ keys.T / 3**0.5, dim=-1)


def errors(measure, modules):
    """(modules, orders): what a function of the student measures; what is no number is left empty."""
    table = torch.full((len(modules), len(ORDERS)), torch.nan)
    for row, module in enumerate(modules):
        for column, order in enumerate(ORDERS.values()):
            error = measure(module, INPUTS[None], torch.tensor(order))
            number = error.detach() if isinstance(error, torch.Tensor) else error
            single = isinstance(number, (int, float)) or getattr(number, "shape", None) == ()
            table[row, column] = float(number) if single else torch.nan
    return table


def show(student):
    made = student.define(MODULES)
    modules = {kind: made.Attention(kind) for kind in ("plain", "causal", "positioned", "pooled")}
    for module in modules.values():
        push(module, MATRICES)
    with_tokens = [modules[kind] for kind in ("plain", "causal", "positioned")]
    moved = tuple(WORDS[token] for token in ORDER)
    return [
        Heatmap("The weights of plain attention", weights(INPUTS), "query", "key", WORDS, WORDS),
        Heatmap(
            'The same with "step" in front: rows and columns moved along',
            weights(INPUTS[list(ORDER)]),
            "query",
            "key",
            moved,
            moved,
        ),
        Heatmap(
            "Your equivariance errors: zeros for plain attention alone",
            errors(student.equivariance_error, with_tokens),
            "module",
            "order",
            ("plain", "causal", "positioned"),
            tuple(ORDERS),
        ),
        Heatmap(
            "Your invariance errors: zeros for the pooled module alone",
            errors(student.invariance_error, list(modules.values())),
            "module",
            "order",
            tuple(modules),
            tuple(ORDERS),
        ),
    ]
