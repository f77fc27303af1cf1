# Scores in a loop over the dimensions; the Jacobian in a loop over its rows.
import torch


def score_variance(d_k, scaled, samples=10_000):
    scores = torch.zeros(samples)
    for _ in range(d_k):
        scores += torch.randn(samples) * torch.randn(samples)
    scores = scores * d_k**-0.5 if scaled else scores
    return ((scores - scores.mean()) ** 2).mean()


def softmax_gradient_norm(scores):
    weights = scores.softmax(0)
    rows = []
    for index, weight in enumerate(weights):
        row = -weight * weights
        row[index] += weight
        rows.append(row)
    return torch.stack(rows).norm()
