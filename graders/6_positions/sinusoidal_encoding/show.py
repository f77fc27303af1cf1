"""The encodings as bands, three dimensions from fine to coarse along the positions, and the wavelengths."""

import torch

from softmarks.pictures import Curves, Heatmap

WIDTH, TOKENS, CURVE = 8, 12, 41
POSITIONS = tuple(str(position) for position in range(TOKENS))
DIMENSIONS = POSITIONS[:WIDTH]


def show(student):
    module = student.SinusoidalPE(d_model=WIDTH, max_len=CURVE, dropout=0.0).eval()
    # what is added to zeros is the encoding itself; (positions, dimensions)
    table = module(torch.zeros(1, CURVE, WIDTH)).detach().reshape(-1, WIDTH)
    dimensions = {
        "dimension 0: fine": table[:, 0],
        "dimension 2": table[:, 2],
        "dimension 4: coarse": table[:, 4],
    }
    return [
        Heatmap("What is added", table[:TOKENS], "position", "dimension", POSITIONS, DIMENSIONS),
        Curves("A fine dimension and coarser ones", dimensions, x_axis="position", y_axis="encoding"),
        Curves(
            "Wavelengths: how many tokens one turn takes",
            {"wavelength": student.wavelengths(WIDTH)},
            x_axis="pair",
            y_axis="tokens",
            logarithmic=True,
        ),
    ]
