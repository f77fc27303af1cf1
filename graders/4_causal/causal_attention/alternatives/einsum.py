# Both products are einsums; the buffer is a float mask as in the book, turned into booleans in each call.
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        _, t, _ = x.shape
        scores = torch.einsum("bqd,bkd->bqk", self.W_query(x), self.W_key(x))
        scores.masked_fill_(self.mask.bool()[:t, :t], -torch.inf)
        weights = self.drop((scores / self.d_out**0.5).softmax(dim=-1))
        return torch.einsum("bqk,bkd->bqd", weights, self.W_value(x))
