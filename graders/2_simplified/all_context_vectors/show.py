"""What there is to see in all_context_vectors: the three tables of the book's sentence, and the row sums."""

import torch

from softmarks.pictures import Heatmap

WORDS = ["Your", "journey", "starts", "with", "one", "step"]
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


def table(value, *shape):
    """The value as a tensor of this shape; not a number where it is something else."""
    fits = isinstance(value, torch.Tensor) and tuple(value.shape) == shape
    return value.detach().double() if fits else torch.full(shape, torch.nan, dtype=torch.float64)


def show(student):
    """Scores are symmetric, weights are not: each row of them sums to 1, a column to anything."""
    found = student.all_context_vectors(INPUTS)
    found = list(found) if isinstance(found, (tuple, list)) else []
    scores, weights, contexts = (found + [None] * 3)[:3]
    scores, weights, contexts = table(scores, 6, 6), table(weights, 6, 6), table(contexts, 6, 3)
    sums = torch.stack([weights.sum(dim=1), weights.sum(dim=0)])
    return [
        Heatmap("Scores: every token with every token", scores, "query", "token", WORDS, WORDS),
        Heatmap("Weights: what each query takes from each token", weights, "query", "token", WORDS, WORDS),
        Heatmap("Sums of the weights", sums, "sum", "token", ["along its row", "down its column"], WORDS),
        Heatmap("Context vectors", contexts, "token", "feature", WORDS),
    ]
