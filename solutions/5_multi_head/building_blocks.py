"""Given code for this assignment: causal attention with one head, as `causal_attention` asks for it.

Import it by name: ``from building_blocks import CausalAttention``.
"""

import torch
from torch import nn
from torch.nn import functional


class CausalAttention(nn.Module):
    """Causal attention with one head; shapes: x (batch, tokens, d_in) -> context (batch, tokens, d_out).

    An input with more than context_length tokens raises ValueError.
    """

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        every_pair = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(every_pair, diagonal=1))  # True = blocked

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > self.mask.shape[0]:
            raise ValueError(f"{num_tokens} tokens, but context_length is {self.mask.shape[0]}")
        rate = self.dropout.p if self.training else 0.0
        return functional.scaled_dot_product_attention(
            self.W_query(x),
            self.W_key(x),
            self.W_value(x),
            attn_mask=~self.mask[:num_tokens, :num_tokens],  # torch's own mask is True where visible
            dropout_p=rate,
        )
