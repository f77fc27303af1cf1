# The layers are there, and what they do is written out: x times the transposed weight, plus the bias.
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        made = []
        for layer in (self.W_query, self.W_key, self.W_value):
            result = x @ layer.weight.T
            made.append(result if layer.bias is None else result + layer.bias)
        queries, keys, values = made
        scores = queries @ keys.transpose(-2, -1)
        return torch.softmax(scores * keys.shape[-1] ** -0.5, dim=-1) @ values
