# The slopes as a running product; distances as running sums of ones.
import math

import torch


def alibi_slopes(n_heads):
    if not math.log2(n_heads).is_integer():
        raise ValueError("n_heads must be a power of two")
    return torch.full((n_heads,), 2 ** (-8 / n_heads)).cumprod(dim=0)


def alibi_bias(n_heads, num_tokens):
    below = torch.ones(num_tokens, num_tokens).tril(-1)
    distance = below.cumsum(dim=0)
    return torch.einsum("h,qk->hqk", -alibi_slopes(n_heads), distance)
