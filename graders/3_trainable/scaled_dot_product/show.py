"""What a query looks at: the book's sentence, without and with a mask, and the lecture's three words."""

import torch

from softmarks.pictures import Heatmap

WORDS = ("Your", "journey", "starts", "with", "one", "step")
QUERIES = [
    [0.2309, 1.0966],
    [0.4306, 1.4551],
    [0.4300, 1.4343],
    [0.2355, 0.7990],
    [0.2983, 0.6565],
    [0.2568, 1.0533],
]
KEYS = [
    [0.3669, 0.7646],
    [0.4433, 1.1419],
    [0.4361, 1.1156],
    [0.2408, 0.6706],
    [0.1827, 0.3292],
    [0.3275, 0.9642],
]
LOUDER = 4  # times the book's queries: then the rows differ to the eye
LECTURE = ("I", "love", "math")
SCORES = [[2.1, 1.4, 0.8], [0.9, 3.2, 1.1], [1.3, 1.7, 2.9]]


def part(result, index):
    """One part of what was returned, if there is one; else nothing to see."""
    found = result[index] if isinstance(result, (tuple, list)) and len(result) > index else None
    return found if isinstance(found, torch.Tensor) and found.dim() == 2 else torch.zeros(1, 1)


def weights_of(title, weights, words):
    """A table of weights with the words beside it, if it has a row and a column for each."""
    fits = tuple(weights.shape) == (len(words), len(words))
    labels = words if fits else ()
    return Heatmap(title, weights[:12, :12], row_axis="query", column_axis="key", rows=labels, columns=labels)


def show(student):
    queries, keys = LOUDER * torch.tensor(QUERIES), torch.tensor(KEYS)
    mask = torch.zeros(6, 6, dtype=torch.bool)
    mask[:, 4:] = True  # the last two keys for everyone
    mask[3] = True  # and everything for "with"
    plain = student.scaled_dot_product_attention(queries, keys, keys)
    masked = student.scaled_dot_product_attention(queries, keys, keys, mask=mask)
    worked = student.worked_example(torch.tensor(SCORES), torch.eye(3))
    return [
        weights_of("Weights, queries four times as loud as in the book", part(plain, 1), WORDS),
        weights_of("The same with one, step and the query with blocked", part(masked, 1), WORDS),
        weights_of("The lecture's scores, scaled", part(worked, 0), LECTURE),
        weights_of("The lecture's weights", part(worked, 1), LECTURE),
    ]
