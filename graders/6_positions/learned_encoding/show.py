"""What the module adds before it is trained, and which rows of its table learn."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import observe, push, sample

ROWS, WIDTH, TOKENS = 8, 6, 5
POSITIONS = tuple(str(position) for position in range(ROWS))
AXES = ("position", "dimension", POSITIONS, POSITIONS[:WIDTH])


def show(student):
    """What a new table adds to each position, and its gradients after shorter sequences."""
    module = student.LearnedPE(d_model=WIDTH, max_len=ROWS).eval()
    push(module, {"pe.weight": sample(ROWS, WIDTH, seed=1)})
    x = sample(1, ROWS, WIDTH)
    noise = (module(x).detach() - x).reshape(-1, WIDTH)[:ROWS]
    seen = observe(module, sample(2, TOKENS, WIDTH), upstream=sample(2, TOKENS, WIDTH, seed=2))
    gradient = seen.parameter_gradients.get("pe.weight")
    learning = torch.zeros(ROWS, WIDTH) if gradient is None else gradient.abs()
    return [
        Heatmap("Added by a new table: noise, a row for each position", noise, *AXES),
        Heatmap(f"Gradients of {TOKENS} tokens: later rows learn nothing", learning, *AXES),
    ]
