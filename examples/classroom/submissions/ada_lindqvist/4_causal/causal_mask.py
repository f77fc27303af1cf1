# Causal mask, Ada Lindqvist
import math

import torch


def causal_mask(num_tokens, device=None):
    position = torch.arange(num_tokens, device=device)
    # row = query, column = key. A key is blocked when it comes after the query.
    return position[None, :] > position[:, None]


def mask_after_softmax(weights):
    T = weights.shape[-1]
    blocked = causal_mask(T, weights.device)
    visible = torch.where(blocked, torch.zeros_like(weights), weights)
    total = visible.sum(-1, keepdim=True)   # (..., T, 1), keepdim or it would divide the columns!
    return visible / total


def mask_before_softmax(scores, d_k):
    T = scores.shape[-1]
    blocked = causal_mask(T, scores.device)
    scores = scores / math.sqrt(d_k)
    scores = scores.masked_fill(blocked, float("-inf"))
    return scores.softmax(dim=-1)
