import torch

def causal_mask(num_tokens, device=None):
    return ~torch.ones(num_tokens, num_tokens, device=device).bool().tril()

def mask_after_softmax(weights):
    m = causal_mask(weights.shape[-1], device=weights.device)
    w = weights.masked_fill(m, 0.)
    return w / w.sum(dim=-1, keepdim=True)

def mask_before_softmax(scores, d_k):
    m = causal_mask(scores.shape[-1], device=scores.device)
    s = scores.masked_fill(m, float('-inf'))
    return torch.softmax(s / (d_k ** .5), dim=-1)
