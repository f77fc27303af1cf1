# The heads get a dimension of their own, just before their features, and the two are flattened to one.
import torch
from building_blocks import CausalAttention
from torch import nn


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        arguments = (d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList(CausalAttention(*arguments) for _ in range(num_heads))

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=2).flatten(start_dim=2)
