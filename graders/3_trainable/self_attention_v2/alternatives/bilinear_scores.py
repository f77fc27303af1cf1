# Scores are written as a bilinear form; the softmax is taken in at least float32 and turned back.
import math

import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.scale = math.sqrt(d_out)
        self.W_query = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_key = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_value = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)

    def forward(self, x):
        scores = torch.matmul(self.W_query(x) / self.scale, torch.swapaxes(self.W_key(x), -1, -2))
        wide = torch.promote_types(scores.dtype, torch.float32)
        return torch.matmul(scores.softmax(dim=-1, dtype=wide).to(x.dtype), self.W_value(x))
