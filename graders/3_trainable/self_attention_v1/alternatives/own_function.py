# The function of scaled_dot_product is brought along and called; it has the name of torch's own.
import math

import torch
from torch import nn


def scaled_dot_product_attention(queries, keys, values, mask=None):
    scores = queries @ keys.mT / math.sqrt(keys.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))

    def forward(self, x):
        context, self.attention_weights = scaled_dot_product_attention(
            x @ self.W_query, x @ self.W_key, x @ self.W_value
        )
        return context
