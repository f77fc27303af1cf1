# Angles as an outer product of positions and frequencies, a three-dimensional buffer.
import math

import torch
from torch import nn


def frequencies(d_model):
    return 1.0 / torch.pow(10000.0, torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)


def wavelengths(d_model):
    return 2 * math.pi / frequencies(d_model)


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        angle = torch.outer(torch.arange(max_len, dtype=torch.float32), frequencies(d_model))
        pe = torch.empty(1, max_len, d_model)
        pe[..., 0::2] = angle.sin()
        pe[..., 1::2] = angle.cos()[:, : d_model // 2]
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[:, : x.size(1)])
