"""Right, and answers with a harmless kind of tensor of its own.

causal_mask: all
"""

import torch


class Named(torch.Tensor):
    pass


def causal_mask(num_tokens, device=None):
    ones = torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device)
    return torch.triu(ones, diagonal=1).as_subclass(Named)


def mask_after_softmax(weights):
    kept = weights.masked_fill(causal_mask(weights.shape[-1], weights.device), 0)
    return (kept / kept.sum(dim=-1, keepdim=True)).as_subclass(Named)


def mask_before_softmax(scores, d_k):
    blocked = causal_mask(scores.shape[-1], scores.device)
    return torch.softmax(scores.masked_fill(blocked, -torch.inf) / d_k**0.5, dim=-1).as_subclass(Named)
