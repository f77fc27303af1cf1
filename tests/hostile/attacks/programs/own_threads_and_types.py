"""Right, but sets another number type, four threads, no gradients and anomaly detection for its whole process.

causal_mask: all
"""

import torch

torch.set_num_threads(4)
torch.set_grad_enabled(True)
torch.autograd.set_detect_anomaly(True)
torch.set_printoptions(precision=2)


def causal_mask(num_tokens, device=None):
    return torch.triu(torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device), diagonal=1)


def mask_after_softmax(weights):
    kept = weights.masked_fill(causal_mask(weights.shape[-1], weights.device), 0)
    return kept / kept.sum(dim=-1, keepdim=True)


def mask_before_softmax(scores, d_k):
    blocked = causal_mask(scores.shape[-1], scores.device)
    return torch.softmax(scores.masked_fill(blocked, -torch.inf) / d_k**0.5, dim=-1)
