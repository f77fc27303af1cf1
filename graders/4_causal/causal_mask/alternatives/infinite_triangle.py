# A triangle of minus infinities, added to the scores, or to the logarithms of finished weights.
import torch


def infinite_triangle(num_tokens, like):
    return torch.full((num_tokens, num_tokens), float("-inf"), dtype=like.dtype, device=like.device).triu(1)


def causal_mask(num_tokens, device=None):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device).tril().logical_not()


def mask_after_softmax(weights):
    return torch.softmax(weights.log() + infinite_triangle(weights.shape[-1], weights), dim=-1)


def mask_before_softmax(scores, d_k):
    return torch.softmax((scores + infinite_triangle(scores.shape[-1], scores)) / d_k**0.5, dim=-1)
