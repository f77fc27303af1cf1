# The result grows by one head at a time; __init__ hands its arguments on by name.
from functools import reduce

import torch
from building_blocks import CausalAttention
from torch import nn


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = {"d_in": d_in, "d_out": d_out, "context_length": context_length}
        rest = {"qkv_bias": qkv_bias, "dropout": dropout}
        self.heads = nn.ModuleList(CausalAttention(**sizes, **rest) for _ in range(num_heads))

    def forward(self, x):
        first, *others = self.heads
        return reduce(lambda done, head: torch.cat((done, head(x)), dim=2), others, first(x))
