# One batched product for all pairs; torch finds the Jacobian.
import torch


def score_variance(d_k, scaled, samples=10_000):
    queries = torch.randn(samples, 1, d_k)
    keys = torch.randn(samples, d_k, 1)
    if scaled:
        keys = keys / d_k**0.5
    return torch.var(queries @ keys)


def softmax_gradient_norm(scores):
    jacobian = torch.autograd.functional.jacobian(lambda given: torch.softmax(given, dim=0), scores)
    return torch.linalg.norm(jacobian)
