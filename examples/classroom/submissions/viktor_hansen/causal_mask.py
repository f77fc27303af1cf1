import torch


def causal_mask(num_tokens, device=None):
    return torch.triu(torch.ones(num_tokens, num_tokens, dtype=torch.uint8, device=device), 1).to(torch.bool)


def mask_after_softmax(weights):
    m = causal_mask(weights.shape[-1], weights.device)
    w = weights.masked_fill(m, 0)
    return w.div(w.sum(-1, True))


def mask_before_softmax(scores, d_k):
    m = causal_mask(scores.shape[-1], scores.device)
    return scores.div(d_k ** 0.5).masked_fill(m, float("-inf")).softmax(-1)
