import torch

# Chidi Okafor, week 4

def causal_mask(num_tokens, device=None):
    mask = [[j > i for j in range(num_tokens)] for i in range(num_tokens)]
    return torch.tensor(mask, device=device)

def mask_after_softmax(weights):
    mask = causal_mask(weights.shape[-1], device=weights.device)
    masked = torch.masked_fill(weights, mask, 0.0)
    return masked / masked.sum(dim=-1, keepdim=True)

def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.shape[-1], device=scores.device)
    masked = torch.masked_fill(scores, mask, -1e30)
    return torch.softmax(masked / d_k ** 0.5, dim=-1)
