"""Two curves: how far scores spread as keys grow, and what a softmax lets through as scores grow."""

import torch

from softmarks.pictures import Curves
from softmarks.testing import observe

SIZES = (1, 4, 16, 64, 256)
LOUDNESS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 16.0)
SHAPES_OF_SCORES = {"one ahead": [1.0, 0.0, 0.0, 0.0], "spread evenly": [1.0, 0.6, 0.3, 0.0]}


def number(value):
    """What was returned as one number; nan if it is none."""
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        return float("nan")


def show(student):
    def variance(scaled):
        calls = [observe(student.score_variance, d_k, scaled, samples=2000, seed=d_k) for d_k in SIZES]
        return torch.tensor([number(call.value) for call in calls])

    def norms(scores):
        return torch.tensor(
            [number(student.softmax_gradient_norm(loud * torch.tensor(scores))) for loud in LOUDNESS]
        )

    return [
        Curves(
            "Variance of the scores",
            {"raw": variance(False), "scaled": variance(True)},
            x=SIZES,
            x_axis="d_k",
            y_axis="variance",
            logarithmic=True,
        ),
        Curves(
            "What the softmax lets through",
            {name: norms(scores) for name, scores in SHAPES_OF_SCORES.items()},
            x=LOUDNESS,
            x_axis="factor of the scores",
            y_axis="norm of the Jacobian",
        ),
    ]
