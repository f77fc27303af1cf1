# Einsum names the dimensions; minus infinity goes only where a query still has something to see.
import torch


def scaled_dot_product_attention(queries, keys, values, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * keys.size(-1) ** -0.5
    if mask is not None:
        nothing_left = mask.all(dim=-1, keepdim=True)
        scores = scores.masked_fill(mask & ~nothing_left, float("-inf"))
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(nothing_left, 0.0)
    return torch.einsum("...qk,...kv->...qv", weights, values), weights


def worked_example(scores, values):
    scaled = scores * 3**-0.5
    weights = scaled.softmax(-1)
    return scaled, weights, torch.einsum("qk,kv->qv", weights, values)
