import math

import torch
from torch import nn


def count_pairs(d_model):
    pairs = 0
    while 2 * pairs != d_model:
        pairs += 1
    return pairs


def wavelengths(d_model):
    i = torch.arange(count_pairs(d_model))
    return 2 * math.pi * 10000 ** (2 * i / d_model)


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_len).unsqueeze(1)
        two_i = torch.arange(0, d_model, 2)
        angle = position / 10000 ** (two_i / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(angle)
        pe[:, 1::2] = torch.cos(angle[:, : d_model // 2])
        self.register_buffer("pe", pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens]
        return self.dropout(x)
