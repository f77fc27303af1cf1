"""Where features go: one token's features numbered, the heads they land in, and the way back."""

import torch

from softmarks.pictures import Heatmap

WORDS = ("Your", "journey", "starts", "with")
TOKENS, D_MODEL, HEADS = 4, 6, 2


def show(student):
    """Numbers 10 t + f for token t and feature f: the input, both heads, and the merged heads."""
    x = (10.0 * torch.arange(TOKENS)[:, None] + torch.arange(D_MODEL)).reshape(1, TOKENS, D_MODEL)
    heads = student.split_heads(x, HEADS)
    panels = [panel("Before: 10 * token + feature", x[0])]
    if heads.dim() == 4:
        panels += [panel(f"Head {head}", heads[0, head]) for head in range(min(2, heads.shape[1]))]
    merged = student.merge_heads(heads)
    return [*panels, panel("Merged again", merged[0])]


def panel(title, values):
    """A heatmap with the words where they fit."""
    rows = WORDS if values.shape[0] == len(WORDS) else ()
    return Heatmap(title, values, row_axis="token", column_axis="feature", rows=rows)
