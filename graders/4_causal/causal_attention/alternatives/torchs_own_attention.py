# Torch's own attention function does it all; its boolean masks say which keys are visible.
import torch
from torch import nn
from torch.nn import functional


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.rate = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        visible = torch.ones(context_length, context_length, dtype=torch.bool).tril()
        self.register_buffer("mask", visible)

    def forward(self, x):
        num_tokens = x.size(1)
        if num_tokens > self.mask.size(0):
            raise ValueError("too many tokens")
        return functional.scaled_dot_product_attention(
            self.W_query(x),
            self.W_key(x),
            self.W_value(x),
            attn_mask=self.mask[:num_tokens, :num_tokens],
            dropout_p=self.rate if self.training else 0.0,
        )
