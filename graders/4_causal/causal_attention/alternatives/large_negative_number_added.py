# The buffer holds -1e9 where a key is blocked and is added to the scores, scaled queries first.
import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.scale = 1 / math.sqrt(d_out)
        self.register_buffer(
            "mask", torch.triu(torch.full((context_length, context_length), -1e9), diagonal=1)
        )

    def forward(self, x):
        tokens = x.shape[-2]
        queries = self.W_query(x) * self.scale
        scores = queries @ self.W_key(x).mT + self.mask[:tokens, :tokens]
        return self.dropout(torch.softmax(scores, -1)) @ self.W_value(x)
