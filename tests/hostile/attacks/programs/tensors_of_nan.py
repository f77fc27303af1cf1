"""Answers with NaN in each place.

causal_mask: 1.02, wrong-dtype and not-finite and wrong-value
naive: nothing: torch.equal sees it
elsewhere: full marks
"""

import torch


def causal_mask(num_tokens, device=None):
    return torch.full((num_tokens, num_tokens), float("nan"), device=device)


def mask_after_softmax(weights):
    return torch.full_like(weights, float("nan"))


def mask_before_softmax(scores, d_k):
    return torch.full_like(scores, float("nan"))
