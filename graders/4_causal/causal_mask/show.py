"""The mask of six words, and the book's weights without and with it."""

import torch

from softmarks.pictures import Heatmap

WORDS = ("Your", "journey", "starts", "with", "one", "step")
SCORES = torch.tensor(
    [
        [0.2899, 0.0716, 0.0760, -0.0138, 0.1344, -0.0511],
        [0.4656, 0.1723, 0.1751, 0.0259, 0.1771, 0.0085],
        [0.4594, 0.1703, 0.1731, 0.0259, 0.1745, 0.0090],
        [0.2642, 0.1024, 0.1036, 0.0186, 0.0973, 0.0122],
        [0.2183, 0.0874, 0.0882, 0.0177, 0.0786, 0.0144],
        [0.3408, 0.1270, 0.1290, 0.0198, 0.1290, 0.0078],
    ]
)


def table(value):
    """The value if it is a table of six rows and columns, else an empty one."""
    return value.detach() if tuple(getattr(value, "shape", ())) == (6, 6) else torch.full((6, 6), torch.nan)


def show(student):
    """The mask, unmasked weights, and both ways to mask them."""
    unmasked = torch.softmax(SCORES / 2**0.5, dim=-1)
    panels = {
        "What is blocked": student.causal_mask(6),
        "Weights that see the future": unmasked,
        "Masked after the softmax": student.mask_after_softmax(unmasked),
        "Masked before the softmax": student.mask_before_softmax(SCORES, 2),
    }
    return [Heatmap(title, table(value), "query", "key", WORDS, WORDS) for title, value in panels.items()]
