# Both products are einsums on (batch, tokens, heads, head_dim): nothing is transposed.
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.h, -1)) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        scores.masked_fill_(self.mask.bool()[: x.shape[1], : x.shape[1]], -torch.inf)
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2))
