# A batch is taken apart, and each sequence is attended to query by query.
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_key = nn.Linear(d_in, d_out, bias=bool(qkv_bias))
        self.W_value = nn.Linear(d_in, d_out, bias=bool(qkv_bias))

    def forward(self, x):
        if x.ndim > 2:
            return torch.stack([self(sequence) for sequence in x])
        keys, values = self.W_key(x), self.W_value(x)
        rows = [keys @ self.W_query(token) / keys.shape[1] ** 0.5 for token in x]
        return torch.stack([row.softmax(0) @ values for row in rows])
