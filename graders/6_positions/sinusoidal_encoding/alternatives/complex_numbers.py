# Each pair is a point on the unit circle: imaginary and real part of exp(i * angle).
import math

import torch
from torch import nn


def wavelengths(d_model):
    pairs = math.ceil(d_model / 2)
    return torch.tensor([2 * math.pi * math.pow(10000, 2 * i / d_model) for i in range(pairs)])


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        angle = 2 * math.pi * torch.arange(max_len)[:, None] / wavelengths(d_model)
        circle = torch.polar(torch.ones_like(angle), angle)
        pe = torch.stack([circle.imag, circle.real], dim=-1).flatten(1)[:, :d_model]
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.shape[1]]
        return self.dropout(x)
