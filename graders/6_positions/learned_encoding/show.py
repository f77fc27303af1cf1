"""What the module adds when its table holds noise, and when it holds sinusoids; and which rows learn."""

import torch

from softmarks.pictures import Curves, Heatmap
from softmarks.testing import observe, push, sample

ROWS, WIDTH, TOKENS = 12, 12, 7
PLACES = tuple(str(place) for place in range(ROWS))
AXES = ("position", "dimension", PLACES, PLACES)


def sinusoids():
    """The table of `sinusoidal_encoding` in a small size."""
    angle = torch.arange(ROWS).unsqueeze(1) * 10000.0 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)


def added(module, table):
    """What the module adds to each of 12 positions when this is its table."""
    push(module, {"pe.weight": table})
    x = sample(1, ROWS, WIDTH)
    return (module(x).detach() - x).reshape(-1, WIDTH)[:ROWS]


def show(student):
    module = student.LearnedPE(d_model=WIDTH, max_len=ROWS).eval()
    noise, waves = added(module, sample(ROWS, WIDTH, seed=1)), added(module, sinusoids())
    seen = observe(module, sample(2, TOKENS, WIDTH), upstream=sample(2, TOKENS, WIDTH, seed=2))
    gradient = seen.parameter_gradients.get("pe.weight")
    learning = torch.zeros(ROWS, WIDTH) if gradient is None else gradient.abs()
    first = {"before training": noise[:, 2], "sinusoidal": waves[:, 2]}
    return [
        Heatmap("Added by a new table: noise, a row for each position", noise, *AXES),
        Heatmap("Added by a table that holds sinusoids: what training could find", waves, *AXES),
        Curves("Dimension 2 of the two tables", first, x_axis="position", y_axis="added"),
        Heatmap("Gradients after sequences of 7 tokens: the last rows learn nothing", learning, *AXES),
    ]
