"""What there is to see in context_vector: the book's weights, and what sharper scores do to them."""

import torch

from softmarks.pictures import Curves, Heatmap
from softmarks.testing import StudentRaised

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
SCORES = torch.tensor([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865])
FACTORS = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0]


def table(value, *shape):
    """The value as a tensor of this shape; not a number where it is something else."""
    fits = isinstance(value, torch.Tensor) and tuple(value.shape) == shape
    return value.detach().double() if fits else torch.full(shape, torch.nan, dtype=torch.float64)


def results(student, position):
    """Scores, weights and context of one token."""
    found = student.context_vector(INPUTS, position)
    found = list(found) if isinstance(found, (tuple, list)) else []
    scores, weights, context = (found + [None] * 3)[:3]
    return table(scores, 6), table(weights, 6), table(context, 3)


def show(student):
    """The weights of each query, what they make of the tokens, and softmax over louder scores."""
    each = [results(student, position) for position in range(6)]
    weights = torch.stack([weights for _, weights, _ in each])
    contexts = torch.stack([context for _, _, context in each])
    louder = torch.tensor(FACTORS)[:, None] * SCORES
    try:
        shares = table(student.softmax(louder), len(FACTORS), 6)
    except StudentRaised:
        shares = table(None, len(FACTORS), 6)
    return [
        Heatmap("Weights: how much each token looks at each", weights, "query", "token", WORDS, WORDS),
        Heatmap("Context vectors: each token, mixed with the others", contexts, "token", "feature", WORDS),
        Curves(
            'The weights of "journey", when all its scores are multiplied',
            {word: shares[:, token] for token, word in enumerate(WORDS)},
            FACTORS,
            "factor",
            "weight",
        ),
    ]
