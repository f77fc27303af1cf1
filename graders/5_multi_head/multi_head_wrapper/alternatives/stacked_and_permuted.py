# The heads are stacked in front, brought behind the tokens by permute, and joined by reshape.
import torch
from building_blocks import CausalAttention
from torch import nn


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([])
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))

    def forward(self, x):
        contexts = torch.stack([head(x) for head in self.heads])
        return contexts.permute(1, 2, 0, 3).reshape(x.shape[0], x.shape[1], -1)
