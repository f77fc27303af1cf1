# A normal distribution object; delta minus weight by broadcasting, times the weight of the row.
import torch


def score_variance(d_k, scaled, samples=10_000):
    normal = torch.distributions.Normal(0.0, 1.0)
    queries, keys = normal.sample((samples, d_k)), normal.sample((samples, d_k))
    scores = torch.linalg.vecdot(queries, keys)
    return scores.std() ** 2 / (d_k if scaled else 1)


def softmax_gradient_norm(scores):
    weights = torch.exp(scores - torch.logsumexp(scores, dim=0))
    delta = torch.eye(len(scores), dtype=scores.dtype)
    jacobian = weights[:, None] * (delta - weights[None, :])
    return jacobian.flatten().pow(2).sum().pow(0.5)
