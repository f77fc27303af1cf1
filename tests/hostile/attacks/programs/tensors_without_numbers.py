"""Answers with tensors on the meta device, which have a shape and no numbers.

causal_mask: 1.53, wrong-device and wrong-value
naive: nothing: nothing can be compared
"""

import torch


def causal_mask(num_tokens, device=None):
    return torch.empty(num_tokens, num_tokens, dtype=torch.bool, device="meta")


def mask_after_softmax(weights):
    return torch.empty(weights.shape, device="meta")


def mask_before_softmax(scores, d_k):
    return torch.empty(scores.shape, device="meta")
