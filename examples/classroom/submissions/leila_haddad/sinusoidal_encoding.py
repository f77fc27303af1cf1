import numpy as np
import torch
from torch import nn


def wavelengths(d_model):
    i = np.arange(0, d_model, 2)
    return torch.from_numpy(2 * np.pi * 10000.0 ** (i / d_model)).float()


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        i = np.arange(d_model)
        angle = np.arange(max_len)[:, None] / 10000.0 ** ((i - i % 2) / d_model)
        table = np.where(i % 2 == 0, np.sin(angle), np.cos(angle))
        self.register_buffer("pe", torch.from_numpy(table).float())   # numpy makes float64

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens]
        return self.dropout(x)
