# Sinusoidal positional encoding, Ada Lindqvist
import math

import torch
from torch import nn


def wavelengths(d_model):
    # angle = pos / 10000^(2i/d), a full turn is angle = 2 pi
    return torch.tensor([2 * math.pi * 10000 ** (k / d_model) for k in range(0, d_model, 2)])


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        # for an odd d_model there is one cosine less than sines
        n_cos = pe[:, 1::2].shape[1]
        pe[:, 1::2] = torch.cos(position * div_term)[:, :n_cos]
        self.register_buffer("pe", pe.unsqueeze(0))        # (1, max_len, d_model)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:, :num_tokens]
        return self.dropout(x)
