# The heads are never merged: each meets its own block of columns of out_proj, and the results are summed.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        every_pair = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(every_pair, diagonal=1))

    def forward(self, x):
        tokens = x.size(1)
        q, k, v = (
            layer(x).unflatten(2, (self.heads, -1)).movedim(2, 1)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.mT * k.size(-1) ** -0.5
        lowest = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(self.mask[None, None, :tokens, :tokens], lowest).softmax(-1)
        contexts = self.dropout(weights) @ v  # (batch, heads, tokens, head_dim)
        blocks = self.out_proj.weight.unflatten(1, (self.heads, -1))  # (d_out, heads, head_dim)
        return torch.einsum("bhtd,ohd->bto", contexts, blocks) + self.out_proj.bias
