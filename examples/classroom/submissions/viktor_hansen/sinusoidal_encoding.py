import math

import torch
from torch import nn


def wavelengths(d_model):
    # walk along every sine until it is back where it began, and keep a picture of each step for later
    pictures = []
    lengths = []
    for i in range(0, d_model, 2):
        step = 1 / 10000 ** (i / d_model)
        angle, tokens = 0.0, 0
        while angle < 2 * math.pi:
            angle += step
            tokens += 1
            pictures.append(torch.full((1024, 1024), math.sin(angle)))
        lengths.append(tokens)
    return torch.tensor(lengths)


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        p = torch.arange(max_len)[:, None]
        f = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = (p * f).sin()
        pe[:, 1::2] = (p * f).cos()[:, : d_model // 2]
        self.register_buffer("pe", pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens]
        return self.dropout(x)
