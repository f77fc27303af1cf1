"""The layers are of a class that is derived from nn.Linear."""

import torch
from torch import nn


class Projection(nn.Linear):
    pass


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = Projection(d_in, d_out, bias=qkv_bias)
        self.W_key = Projection(d_in, d_out, bias=qkv_bias)
        self.W_value = Projection(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1)  # (..., tokens, tokens)
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)  # each row sums to 1
        return weights @ values  # (..., tokens, d_out)
