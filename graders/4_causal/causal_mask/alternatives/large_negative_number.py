# -1e9 in the place of minus infinity, before the scaling; copies are changed in place; sums are clamped.
import torch


def causal_mask(num_tokens, device=None):
    return torch.ones(num_tokens, num_tokens, device=device).bool().triu(diagonal=1)


def mask_after_softmax(weights):
    weights = weights.clone()
    weights[..., causal_mask(weights.shape[-1], weights.device)] = 0
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)


def mask_before_softmax(scores, d_k):
    scores = scores.clone()
    scores.masked_fill_(causal_mask(scores.shape[-1], scores.device), -1e9)
    return torch.softmax(scores / d_k**0.5, dim=-1, dtype=torch.float32).to(scores.dtype)
