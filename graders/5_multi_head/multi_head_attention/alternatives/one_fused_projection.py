# The three weights are stacked and applied at once; the result is cut into queries, keys and values.
import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if num_heads * (d_out // num_heads) != d_out:
            raise AssertionError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        layers = (self.W_query, self.W_key, self.W_value)
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
        fused = F.linear(x, weight, bias)
        b, t, width = fused.shape
        q, k, v = fused.view(b, t, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2)) / q.size(-1) ** 0.5
        scores = scores.masked_fill(self.mask[:t, :t] == 1, -torch.inf)
        contexts = self.dropout(F.softmax(scores, dim=-1)) @ v
        return self.out_proj(contexts.transpose(1, 2).contiguous().view(b, t, width // 3))
