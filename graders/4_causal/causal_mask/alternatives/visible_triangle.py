# The mask is where tril is 0; finished weights are multiplied; scores are multiplied by a negative power.
import torch


def causal_mask(num_tokens, device=None):
    return torch.tril(torch.ones(num_tokens, num_tokens, device=device)) == 0


def mask_after_softmax(weights):
    visible = ~causal_mask(weights.shape[-1], weights.device)
    weights = weights * visible
    return weights / weights.sum(-1, keepdim=True)


def mask_before_softmax(scores, d_k):
    blocked = causal_mask(scores.shape[-1], scores.device)
    scores = scores.masked_fill(blocked, float("-inf"))
    return torch.nn.functional.softmax(scores * d_k**-0.5, dim=-1)
