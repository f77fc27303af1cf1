"""Where a decoder looks: three states, one after the other, above the same six words."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import push

WORDS = ("Your", "journey", "starts", "with", "one", "step")
STATES = ("before word 1", "before word 2", "before word 3")


def weights_of(title, result):
    """The weights of three decoder states as a table, if that is what came back."""
    found = result[1] if isinstance(result, (tuple, list)) and len(result) == 2 else None
    fits = isinstance(found, torch.Tensor) and tuple(found.shape) == (len(STATES), len(WORDS))
    table = found.detach() if fits else torch.zeros(1, 1)
    rows, columns = (STATES, WORDS) if fits else ((), ())
    return Heatmap(title, table, row_axis="decoder state", column_axis="word", rows=rows, columns=columns)


def show(student):
    attention = student.AdditiveAttention(3, 6, 6)
    # Each word has an entry of its own; the three states prefer words 1 and 2, 3 and 4, 5 and 6.
    preferred = torch.eye(3).repeat_interleave(2, dim=0)
    weights = {"W_s.weight": 2 * preferred, "W_h.weight": torch.eye(6), "v.weight": -3 * torch.ones(1, 6)}
    push(attention, weights)
    states, words = torch.eye(3), torch.diag(torch.tensor([1.0, 2.0, 1.5, 0.5, 1.0, 2.0])).expand(3, 6, 6)
    mask = torch.zeros(3, 6, dtype=torch.bool)
    mask[:, 4:] = True
    mask[2] = True
    return [
        weights_of("Weights of three decoder states", attention(states, words)),
        weights_of("Two words blocked, all for the third state", attention(states, words, mask)),
    ]
