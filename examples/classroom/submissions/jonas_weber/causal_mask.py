import torch

def causal_mask(num_tokens, device=None):
    mask = torch.full((num_tokens, num_tokens), True, device=device)
    return torch.triu(mask, diagonal=1)

def mask_after_softmax(weights):
    mask = causal_mask(weights.shape[-1], weights.device)
    new = weights.clone()
    new[..., mask] = 0
    return new / new.sum(dim=-1, keepdim=True)

def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.shape[-1], scores.device)
    new = scores.clone()
    new[..., mask] = -torch.inf
    return torch.softmax(new / d_k ** 0.5, dim=-1)
