# The mask has a batch dimension of its own and is not saved with the weights; the lowest number is filled in.
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        visible = torch.tril(torch.ones(1, context_length, context_length))
        self.register_buffer("mask", visible, persistent=False)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.bmm(q, k.transpose(-2, -1)) / k.size(-1) ** 0.5
        scores = scores.masked_fill(self.mask[:, :n, :n] == 0, torch.finfo(scores.dtype).min)
        return torch.bmm(self.dropout(scores.softmax(-1)), v)
