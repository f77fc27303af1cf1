# Torch's own attention function with is_causal: the buffer only says how many tokens may come.
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        for name in ("W_value", "W_key", "W_query"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        assert x.shape[1] <= len(self.mask), "more tokens than context_length"
        rate = self.dropout.p * self.training
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=rate)
