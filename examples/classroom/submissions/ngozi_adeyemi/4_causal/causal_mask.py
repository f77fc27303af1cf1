import torch


def causal_mask(num_tokens, device=None):
    # True = blocked = above the diagonal
    return torch.triu(torch.ones(num_tokens, num_tokens, device=device), diagonal=1) > 0


def mask_after_softmax(weights):
    mask = causal_mask(weights.shape[-1], device=weights.device)
    weights = weights.masked_fill(mask, 0.0)
    return weights / torch.sum(weights, dim=-1, keepdim=True)


def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.shape[-1], device=scores.device)
    scaled_scores = scores / (d_k ** 0.5)
    scaled_scores = scaled_scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scaled_scores, dim=-1)
