import torch
import torch.nn as nn
import torch.nn.functional as F

class CausalAttention(nn.Module):
    """Fused kernel instead of three matmuls. NB: for SDPA a boolean mask means True = visible."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.context_length = context_length
        self.p = dropout
        blocked = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer('mask', blocked, persistent=False)

    def forward(self, x):
        T = x.size(1)
        assert T <= self.context_length, f'{T} tokens do not fit into {self.context_length}'
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        p = self.p if self.training else 0.0        # F.sdpa does not look at self.training itself
        return F.scaled_dot_product_attention(q, k, v, attn_mask=~self.mask[:T, :T], dropout_p=p)
