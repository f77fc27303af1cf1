import torch


def causal_mask(num_tokens, device=None):
    rows = torch.arange(num_tokens, device=device).view(-1, 1)
    columns = torch.arange(num_tokens, device=device).view(1, -1)
    return columns > rows


def mask_after_softmax(weights):
    allowed = ~causal_mask(weights.shape[-1], weights.device)
    weights = weights * allowed
    return torch.nn.functional.normalize(weights, p=1, dim=-1)


def mask_before_softmax(scores, d_k):
    blocked = causal_mask(scores.shape[-1], scores.device)
    scores = torch.where(blocked, -torch.inf, scores / d_k ** 0.5)
    return scores.softmax(-1)
