import math

import torch
from torch import nn


def wavelengths(d_model):
    exponents = torch.arange(0, d_model, 2) / d_model
    return 2 * math.pi * torch.exp(exponents * math.log(10000))


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        positions = torch.arange(max_len, dtype=torch.float32)
        frequencies = 2 * math.pi / wavelengths(d_model)
        angles = positions[:, None] * frequencies[None, :]
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = angles.sin()
        pe[:, 1::2] = angles[:, : d_model // 2].cos()
        self.register_buffer("pe", pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens]
        return self.dropout(x)
