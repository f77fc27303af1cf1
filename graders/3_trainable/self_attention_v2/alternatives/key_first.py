# The layers are made in another order, and initialised otherwise.
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.xavier_uniform_(layer.weight)
            if qkv_bias:
                nn.init.zeros_(layer.bias)

    def forward(self, x):
        keys, values, queries = self.W_key(x), self.W_value(x), self.W_query(x)
        weights = torch.softmax(queries @ keys.mT / self.W_key.out_features**0.5, dim=-1)
        return weights @ values
