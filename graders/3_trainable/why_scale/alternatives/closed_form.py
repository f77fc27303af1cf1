# The mean of squares, since the mean is 0, and a closed form of the norm; plain floats come back.
import math

import torch


def score_variance(d_k, scaled, samples=10_000):
    scores = torch.einsum("sd,sd->s", torch.randn(samples, d_k), torch.randn(samples, d_k))
    variance = scores.square().mean().item()
    return variance / d_k if scaled else variance


def softmax_gradient_norm(scores):
    top = max(scores.tolist())
    powers = [math.exp(score - top) for score in scores.tolist()]
    weights = [power / sum(powers) for power in powers]
    squares = sum(w**2 for w in weights)
    cubes = sum(w**3 for w in weights)
    return math.sqrt(max(squares - 2 * cubes + squares**2, 0.0))
