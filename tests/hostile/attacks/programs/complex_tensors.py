"""Answers with the right weights as complex numbers, and a mask of numbers.

causal_mask: 0, wrong-dtype and wrong-shape
naive: nothing: the types differ
"""

import torch


def causal_mask(num_tokens, device=None):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)


def mask_after_softmax(weights):
    kept = torch.tril(weights)
    return (kept / kept.sum(dim=-1, keepdim=True)).to(torch.complex64)


def mask_before_softmax(scores, d_k):
    mask = torch.triu(torch.ones(scores.shape[-2:]), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(mask, -torch.inf) / d_k**0.5, dim=-1).to(torch.complex64)
