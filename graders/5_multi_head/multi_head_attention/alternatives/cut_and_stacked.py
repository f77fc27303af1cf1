# split cuts the features into heads, stack makes a dimension of them; unbind and cat lead back.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise RuntimeError(f"{d_out} / {num_heads}")
        self.size = d_out // num_heads
        self.out_proj = nn.Linear(d_out, d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        queries = torch.stack(self.W_query(x).split(self.size, dim=-1))  # heads in front of the batch
        keys = torch.stack(self.W_key(x).split(self.size, dim=-1))
        values = torch.stack(self.W_value(x).split(self.size, dim=-1))
        tokens = x.shape[1]
        scores = queries @ keys.transpose(-2, -1)
        scores = torch.where(self.mask[:tokens, :tokens], -torch.inf, scores)
        weights = self.dropout(torch.softmax(scores / self.size**0.5, dim=-1))
        return self.out_proj(torch.cat((weights @ values).unbind(0), dim=-1))
