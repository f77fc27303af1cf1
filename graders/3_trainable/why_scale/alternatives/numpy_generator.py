# NumPy draws; one backward pass for each weight.
import numpy as np
import torch


def score_variance(d_k, scaled, samples=10_000):
    queries, keys = np.random.normal(size=(2, samples, d_k))
    scores = (queries * keys).sum(axis=1)
    return float(np.var(scores / np.sqrt(d_k) if scaled else scores))


def softmax_gradient_norm(scores):
    total = 0.0
    for index in range(len(scores)):
        point = scores.detach().clone().requires_grad_()
        torch.softmax(point, dim=0)[index].backward()
        total = total + point.grad.square().sum()
    return total**0.5
