import torch

def causal_mask(num_tokens, device=None):
    can_see = torch.tril(torch.ones((num_tokens, num_tokens), device=device))
    return can_see == 0

def mask_after_softmax(weights):
    n = weights.size(-1)
    keep = torch.logical_not(causal_mask(n, weights.device)).to(weights.dtype)   # 1 = visible
    kept = torch.einsum('...qk,qk->...qk', weights, keep)
    norm = torch.einsum('...qk->...q', kept)
    return torch.einsum('...qk,...q->...qk', kept, 1 / norm)

def mask_before_softmax(scores, d_k):
    n = scores.size(-1)
    # additive mask: 0 where I may look, -inf in the future
    bias = torch.zeros(n, n, dtype=scores.dtype, device=scores.device)
    bias = bias.masked_fill(causal_mask(n, scores.device), float('-inf'))
    logits = (scores + bias) * d_k ** -0.5
    logits = logits - logits.max(dim=-1, keepdim=True).values
    e = logits.exp()
    return e / e.sum(dim=-1, keepdim=True)
