"""Answers with the tensor that it was given.

causal_mask: 1.53, wrong-value
naive: nothing: it is not causal
"""

import torch


def causal_mask(num_tokens, device=None):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device)


def mask_after_softmax(weights):
    return weights


def mask_before_softmax(scores, d_k):
    return scores
