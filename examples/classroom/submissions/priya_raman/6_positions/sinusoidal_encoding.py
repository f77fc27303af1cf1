import math

import torch
import torch.nn as nn


def wavelengths(d_model):
    two_i = torch.arange(0, d_model, 2).float()
    return 2 * torch.pi * torch.pow(torch.tensor(10000.0), two_i / d_model)


class SinusoidalPE(nn.Module):

    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pos = torch.arange(max_len).unsqueeze(1)
        two_i = torch.arange(0, d_model, 2).float()
        angles = pos / torch.pow(torch.tensor(10000.0), two_i / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(angles)
        if d_model % 2 == 0:
            pe[:, 1::2] = torch.cos(angles)
        else:
            pe[:, 1::2] = torch.cos(angles[:, :-1])
        self.register_buffer("pe", pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens, :]
        return self.dropout(x)
