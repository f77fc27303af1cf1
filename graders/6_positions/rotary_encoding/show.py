"""Rotary encodings: how pairs turn, and the scores of one query and one key at all positions."""

import torch

from softmarks.pictures import Curves, Heatmap
from softmarks.testing import sample

WORDS = ("Your", "journey", "starts", "with", "one", "step")
PLACES = 40


def fitting(value, *shape):
    """The value if it is a tensor of this shape, else an empty table of it."""
    return (
        value.detach().float()
        if tuple(getattr(value, "shape", ())) == shape
        else torch.full(shape, torch.nan)
    )


def show(student):
    """One token at positions 0 to 11; then a query and a key, the same at all positions."""
    ones = student.apply_rotary(torch.tensor([1.0, 0.0] * 4).repeat(12, 1), torch.arange(12))
    vectors = torch.stack([sample(8), sample(8, seed=1)]).unsqueeze(1).repeat(1, PLACES, 1)
    queries, keys = fitting(student.apply_rotary(vectors, torch.arange(PLACES)), 2, PLACES, 8)
    scores = queries @ keys.transpose(-2, -1)
    return [
        Heatmap(
            "The token (1, 0, 1, 0, 1, 0, 1, 0) at positions 0 to 11",
            fitting(ones, 12, 8),
            row_axis="position",
            column_axis="dimension",
            rows=[str(position) for position in range(12)],
            columns=[str(dimension) for dimension in range(8)],
        ),
        Heatmap(
            "Scores of one query and one key, repeated for every word",
            scores[:6, :6],
            row_axis="query",
            column_axis="key",
            rows=WORDS,
            columns=WORDS,
        ),
        Curves(
            "The same score by distance",
            {"query at position 39": scores[39].flip(0), "query at position 25": scores[25, :26].flip(0)},
            x_axis="distance in tokens",
            y_axis="score",
        ),
    ]
