"""Answers with sparse tensors.

causal_mask: 0, wrong-shape
naive: nothing: they cannot be compared
"""

import torch


def causal_mask(num_tokens, device=None):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).to_sparse()


def mask_after_softmax(weights):
    return weights.detach().to_sparse()


def mask_before_softmax(scores, d_k):
    return scores.detach().to_sparse()
