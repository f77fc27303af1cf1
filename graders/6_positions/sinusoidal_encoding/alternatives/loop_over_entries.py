# The formula entry by entry, in Python's own numbers; the table need not be saved.
import math

import torch
from torch import nn


def wavelengths(d_model):
    return torch.tensor([2 * math.pi * 10000 ** (k / d_model) for k in range(0, d_model, 2)])


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        rows = []
        for position in range(max_len):
            row = []
            for k in range(0, d_model, 2):
                angle = position / 10000 ** (k / d_model)
                row += [math.sin(angle), math.cos(angle)]
            rows.append(row[:d_model])
        self.register_buffer("pe", torch.tensor(rows), persistent=False)

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > len(self.pe):
            raise ValueError(f"{num_tokens} tokens, but only {len(self.pe)} positions")
        return self.dropout(x + self.pe[:num_tokens].unsqueeze(0).expand_as(x))
