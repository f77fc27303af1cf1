"""Positional encoding. Sofia Bergqvist"""
import math

import torch
from torch import nn


def wavelengths(d_model):
    i = torch.arange(0, d_model, 2, dtype=torch.float)
    return 2 * math.pi * 10000 ** (i / d_model)


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float) * -(math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)    # even
        pe[:, 1::2] = torch.cos(position * div_term)    # odd
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:, :num_tokens, :]
        return self.dropout(x)
