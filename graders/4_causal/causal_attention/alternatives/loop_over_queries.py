# Each query meets the keys that its row of the mask leaves to it, and no others.
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1) > 0)

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        num_tokens = x.shape[1]
        if num_tokens > self.mask.shape[-1]:
            raise ValueError("more tokens than context_length")
        rows = []
        for i in range(num_tokens):
            visible = ~self.mask[i, :num_tokens]
            seen, heard = keys[:, visible], values[:, visible]  # (batch, visible, d_out)
            scores = (seen * queries[:, i : i + 1]).sum(dim=-1)  # (batch, visible)
            weights = self.drop(torch.softmax(scores / seen.shape[-1] ** 0.5, dim=-1))
            rows.append((weights.unsqueeze(-1) * heard).sum(dim=1))
        return torch.stack(rows, dim=1)
