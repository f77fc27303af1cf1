import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        batch, num_tokens, d_in = x.size()
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        d_k = key.size(-1)
        score = torch.matmul(query, key.transpose(-2, -1)) / d_k ** 0.5
        mask = self.mask[:num_tokens, :num_tokens]
        score = score.masked_fill(mask == 1, -torch.inf)
        weight = torch.softmax(score, dim=-1)
        weight = self.dropout(weight)
        return torch.matmul(weight, value)
