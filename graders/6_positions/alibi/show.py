"""ALiBi: the bias, what is left of even attention under it, and the slopes."""

import torch

from softmarks.pictures import Curves, Heatmap

WORDS = ("Your", "journey", "starts", "with", "one", "step")


def fitting(value, *shape):
    """The value if it is a tensor of this shape, else an empty table of it."""
    return (
        value.detach().float()
        if tuple(getattr(value, "shape", ())) == shape
        else torch.full(shape, torch.nan)
    )


def show(student):
    """Four heads and six words: the first and the last head; all scores are the same before the bias."""
    bias = fitting(student.alibi_bias(4, 6), 4, 6, 6)
    future = torch.ones(6, 6).triu(1) > 0
    weights = torch.softmax(bias.masked_fill(future, -torch.inf), dim=-1)
    slopes = {f"{heads} heads": fitting(student.alibi_slopes(heads), heads) for heads in (4, 8)}
    return [
        Heatmap("The bias of head 0 of 4", bias[0], "query", "key", WORDS, WORDS),
        Heatmap("Weights of head 0, where all scores are 0", weights[0], "query", "key", WORDS, WORDS),
        Heatmap("Weights of head 3, where all scores are 0", weights[3], "query", "key", WORDS, WORDS),
        Curves("Slopes", slopes, x_axis="head", y_axis="slope", logarithmic=True),
    ]
