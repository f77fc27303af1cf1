"""The book's causal weights before dropout, in one draw, and on average over many."""

import torch

from softmarks.pictures import Curves, Heatmap
from softmarks.testing import observe

WORDS = ("Your", "journey", "starts", "with", "one", "step")
WEIGHTS = torch.tensor(
    [
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.5517, 0.4483, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.3800, 0.3097, 0.3103, 0.0000, 0.0000, 0.0000],
        [0.2758, 0.2460, 0.2462, 0.2319, 0.0000, 0.0000],
        [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0.0000],
        [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529],
    ]
)
RATE, DRAWS = 0.2, 400


def show(student):
    """Weights, one draw in training, the mean of many draws, and what rows sum to."""
    tables = WEIGHTS.repeat(DRAWS, 1, 1)
    drawn = observe(student.attention_dropout, tables, RATE, True, seed=3).value
    fits = isinstance(drawn, torch.Tensor) and drawn.shape == tables.shape
    drawn = drawn.detach().float() if fits else torch.full_like(tables, torch.nan)
    mean = drawn.mean(dim=0)
    sums = {"before": WEIGHTS.sum(dim=1), "one draw": drawn[0].sum(dim=1), "mean": mean.sum(dim=1)}
    return [
        Heatmap("before dropout", WEIGHTS, "query", "key", WORDS, WORDS),
        Heatmap(f"one draw, rate {RATE}", drawn[0], "query", "key", WORDS, WORDS),
        Heatmap(f"mean of {DRAWS} draws", mean, "query", "key", WORDS, WORDS),
        Curves("sums of the rows", sums, range(len(WORDS)), "query", "sum of its weights"),
    ]
