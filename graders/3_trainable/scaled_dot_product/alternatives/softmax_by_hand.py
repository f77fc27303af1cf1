# The softmax by hand: powers of differences, zeros on what is blocked, and a sum that is never 0.
import math

import torch


def scaled_dot_product_attention(queries, keys, values, mask=None):
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    powers = torch.exp(scores - scores.detach().amax(-1, keepdim=True))
    if mask is not None:
        visible = torch.where(mask, torch.full_like(scores, -1e9), scores)
        powers = torch.exp(visible - visible.detach().amax(-1, keepdim=True)) * ~mask
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ values, weights


def worked_example(scores, values):
    scaled = scores / math.sqrt(3)
    powers = scaled.exp()
    weights = powers / powers.sum(dim=1, keepdim=True)
    return scaled, weights, weights @ values
