"""The encodings as bands, a fine and a coarse dimension along the positions, and the wavelengths."""

import torch

from softmarks.pictures import Curves, Heatmap

WIDTH, TOKENS, LONG = 12, 12, 101
PLACES = tuple(str(place) for place in range(WIDTH))


def show(student):
    module = student.SinusoidalPE(d_model=WIDTH, max_len=LONG, dropout=0.0).eval()
    table = module(torch.zeros(1, LONG, WIDTH)).detach().reshape(-1, WIDTH)  # (positions, dimensions)
    dimensions = {
        "dimension 0: fine": table[:, 0],
        "dimension 4": table[:, 4],
        "dimension 8: coarse": table[:, 8],
    }
    tokens = student.wavelengths(WIDTH)
    return [
        Heatmap("What is added", table[:TOKENS], "position", "dimension", PLACES, PLACES),
        Curves("A fine dimension and coarser ones", dimensions, x_axis="position", y_axis="encoding"),
        Curves(
            "Wavelengths: how many tokens one turn takes",
            {"wavelength": tokens},
            x_axis="pair",
            y_axis="tokens",
            logarithmic=True,
        ),
    ]
