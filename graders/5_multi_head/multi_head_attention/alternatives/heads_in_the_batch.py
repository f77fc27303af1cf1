# Heads become a part of the batch dimension: one bmm for all of them; queries are scaled first.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError("heads of different size")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        every_pair = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(every_pair, diagonal=1))
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, projected):
        b, t, _ = projected.shape
        return projected.reshape(b, t, -1, self.head_dim).permute(0, 2, 1, 3).reshape(-1, t, self.head_dim)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.split(self.W_query(x)) * self.head_dim**-0.5
        k, v = self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = torch.bmm(q, k.mT).masked_fill(self.mask[:t, :t], float("-inf"))
        contexts = torch.bmm(self.dropout(torch.softmax(scores, dim=2)), v)
        contexts = contexts.reshape(b, -1, t, self.head_dim).permute(0, 2, 1, 3)
        return self.out_proj(contexts.reshape(b, t, -1))
