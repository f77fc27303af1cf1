# A cosine is a sine a quarter turn ahead: one sine over angles plus phases.
import math

import torch
from torch import nn


def wavelengths(d_model):
    pairs = (d_model + 1) // 2
    return 2 * math.pi * torch.logspace(0, 2 * (pairs - 1) / d_model, pairs, base=10000.0)


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pair = torch.arange(d_model, dtype=torch.double) // 2
        phase = (torch.arange(d_model, dtype=torch.double) % 2) * math.pi / 2
        position = torch.arange(max_len, dtype=torch.double)[None, :, None]
        pe = torch.sin(position * 10000 ** (-2 * pair / d_model) + phase)
        self.register_buffer("pe", pe.to(torch.float32))

    def forward(self, x):
        _, num_tokens, _ = x.shape
        return self.dropout(self.pe[:, :num_tokens, :] + x)
