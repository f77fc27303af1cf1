import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        T = x.shape[1]
        m = self.mask[:T, :T]
        s = self.W_query(x) @ self.W_key(x).transpose(1, 2)
        s = s.div(s.new_tensor(self.W_key.out_features).sqrt()).masked_fill(m, float("-inf"))
        return self.dropout(s.softmax(-1)) @ self.W_value(x)
