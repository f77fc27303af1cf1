"""Two heads on the book's sentence: their context vectors, and what changes when one head changes."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import push, with_weights

WORDS = ("Your", "journey", "starts", "with", "one", "step")
FEATURES = ("head 0, a", "head 0, b", "head 1, a", "head 1, b")
INPUTS = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS = {
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "heads.0.W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "heads.0.W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
    "heads.1.W_query.weight": [[-0.136157, 0.185322, 0.408269], [0.107564, 0.157877, 0.557292]],
    "heads.1.W_key.weight": [[-0.260390, 0.182876, -0.256872], [0.412603, 0.461105, -0.532301]],
    "heads.1.W_value.weight": [[0.492853, 0.275693, 0.251590], [0.237681, 0.479951, -0.076233]],
}
OTHER_VALUES = {"heads.1.W_value.weight": [[0.1, -0.3, 0.6], [0.5, 0.2, -0.4]]}


def show(student):
    """The contexts with the book's weights, and how they move when head 1 gets another W_value."""
    wrapper = student.MultiHeadAttentionWrapper(3, 2, 6, 0.0, num_heads=2).eval()
    with_weights(wrapper)
    push(wrapper, {name: torch.tensor(weight) for name, weight in WEIGHTS.items()})
    sentence = torch.tensor([INPUTS])
    context = wrapper(sentence)
    push(wrapper, {name: torch.tensor(weight) for name, weight in OTHER_VALUES.items()})
    moved = (wrapper(sentence) - context).abs()
    return [
        panel("Context vectors: the heads side by side", context),
        panel("What moves when only head 1 gets another W_value", moved),
    ]


def panel(title, values):
    """The first sequence as a heatmap, with labels where they fit."""
    table = values[0]
    rows = WORDS if table.shape[0] == len(WORDS) else ()
    columns = FEATURES if table.shape[-1] == len(FEATURES) else ()
    return Heatmap(title, table, row_axis="token", column_axis="feature", rows=rows, columns=columns)
