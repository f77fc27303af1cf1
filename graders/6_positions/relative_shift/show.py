"""The blocks of the matrix for three offsets, and an encoding that it moves on."""

import torch

from softmarks.pictures import Curves, Heatmap

WIDTH, TOKENS = 8, 31
SIDES = tuple(str(dimension) for dimension in range(WIDTH))


def encodings(first):
    """(tokens, dimensions): the sinusoidal encodings of 31 positions from ``first`` on."""
    position = torch.arange(first, first + TOKENS, dtype=torch.float64).unsqueeze(1)
    angle = position * 10000.0 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)


def blocks(title, matrix):
    return Heatmap(title, matrix, "new", "old dimension", SIDES, SIDES)


def show(student):
    one, five, back = (student.shift_matrix(offset, WIDTH).double() for offset in (1, 5, -5))
    moved = encodings(0) @ five.T
    curves = {"PE(p)": encodings(0)[:, 0], "your M times PE(p)": moved[:, 0]}
    curves["PE(p + 5)"] = encodings(5)[:, 0]
    return [
        blocks("One token on: a block a pair, the first turns furthest", one),
        blocks("Five tokens on", five),
        blocks("Five tokens back: the transpose", back),
        Curves(
            "Moved on by five tokens: two curves should be one",
            curves,
            x_axis="position p",
            y_axis="dimension 0",
        ),
    ]
