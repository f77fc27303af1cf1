"""One head under four masks: nothing blocked, the future, padding, and a query that sees nothing."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import observe, push

WORDS = ("Your", "journey", "starts", "with", "one", "step")
EMBEDDINGS = torch.tensor(
    [
        [0.43, 0.15, 0.89, 0.0],
        [0.55, 0.87, 0.66, 0.0],
        [0.57, 0.85, 0.64, 0.0],
        [0.22, 0.58, 0.33, 0.0],
        [0.77, 0.25, 0.10, 0.0],
        [0.05, 0.80, 0.55, 0.0],
    ]
)


def show(student):
    """The weights of the first of two heads that the module returns."""
    attention = student.MaskedMultiHeadAttention(4, 2)
    generator = torch.Generator().manual_seed(5)
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        push(attention, {f"{name}.weight": torch.randn(4, 4, generator=generator) * 1.5})
    future = torch.ones(6, 6, dtype=torch.bool).triu(diagonal=1)
    padding = torch.tensor([[[False, False, False, False, True, True]]])
    lonely = future.clone()
    lonely[2] = True
    masks = {
        "no mask": None,
        "the future blocked": future,
        "the last two are padding": padding,
        'the future, and all of it for "starts"': lonely,
    }
    panels = []
    for title, mask in masks.items():
        found = observe(attention, EMBEDDINGS[None], mask, seed=0).value
        weights = found[1] if isinstance(found, tuple) and len(found) == 2 else None
        if isinstance(weights, torch.Tensor) and tuple(weights.shape) == (1, 2, 6, 6):
            panels.append(
                Heatmap(
                    f"Weights of head 0: {title}",
                    weights[0, 0].detach(),
                    row_axis="query",
                    column_axis="key",
                    rows=WORDS,
                    columns=WORDS,
                )
            )
    return panels
