"""The three layers are also kept in a list, to loop over."""

import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers
        self.layers = nn.ModuleList(layers)  # the same three, to loop over

    def forward(self, x):
        queries, keys, values = (layer(x) for layer in self.layers)
        scores = queries @ keys.transpose(-2, -1)  # (..., tokens, tokens)
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)  # each row sums to 1
        return weights @ values  # (..., tokens, d_out)
