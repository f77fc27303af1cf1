"""One head, a German source and an English target: each word looks for its translation."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import observe, push

SOURCE = ("ich", "habe", "den", "Mann", "gesehen", "PAD")
TARGET = ("I", "have", "seen", "the", "man")
MEANS = (0, 1, 4, 2, 3)  # the place of each English word in the German sentence
SIZE = 6


def show(student):
    """The weights of a head whose queries and keys are words of the same meaning."""
    attention = student.CrossAttention(SIZE, SIZE, 1)
    same = torch.eye(SIZE)
    push(attention, {"W_Q.weight": 6 * same, "W_K.weight": same, "W_V.weight": same, "W_O.weight": same})
    source, target = same[None].clone(), same[list(MEANS)][None]
    source[0, -1] = 0.8  # padding is like every word a little, so it takes weight where nothing blocks it
    padding = torch.tensor([[False, False, False, False, False, True]])
    masks = {"nothing blocked": None, "padding blocked": padding, "all blocked": torch.ones_like(padding)}
    panels = []
    for title, mask in masks.items():
        found = observe(attention, target, source, mask, seed=0).value
        weights = found[1] if isinstance(found, (tuple, list)) and len(found) == 2 else None
        if isinstance(weights, torch.Tensor) and tuple(weights.shape) == (1, 1, len(TARGET), len(SOURCE)):
            panels.append(
                Heatmap(
                    f"Weights of the head: {title}",
                    weights[0, 0].detach(),
                    row_axis="target",
                    column_axis="source",
                    rows=TARGET,
                    columns=SOURCE,
                )
            )
    return panels
