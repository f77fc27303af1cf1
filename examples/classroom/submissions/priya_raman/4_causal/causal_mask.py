import torch


def causal_mask(num_tokens, device=None):
    ones = torch.ones(num_tokens, num_tokens, device=device)
    return torch.triu(ones, diagonal=1).bool()


def mask_after_softmax(weights):
    mask = causal_mask(weights.shape[-1], device=weights.device)
    weights = weights.masked_fill(mask, 0)
    return weights / weights.sum(dim=-1, keepdim=True)


def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.shape[-1], device=scores.device)
    # exp(-inf) = 0 so the future gets weight 0
    scores = scores.masked_fill(mask, -torch.inf)
    # TODO what is d_k for?? works without
    return torch.softmax(scores, dim=-1)
