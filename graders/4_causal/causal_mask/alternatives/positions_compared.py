# The mask compares positions of keys and queries; torch.where chooses instead of masked_fill.
import math

import torch


def causal_mask(num_tokens, device=None):
    position = torch.arange(num_tokens, device=device)
    return position.unsqueeze(0) > position.unsqueeze(1)


def mask_after_softmax(weights):
    mask = causal_mask(weights.size(-1), weights.device)
    weights = torch.where(mask, torch.zeros_like(weights), weights)
    return torch.nn.functional.normalize(weights, p=1, dim=-1)


def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.size(-1), scores.device)
    scores = scores / math.sqrt(d_k)
    return torch.where(mask, -torch.inf, scores).softmax(-1)
