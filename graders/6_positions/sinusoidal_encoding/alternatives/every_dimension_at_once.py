# One angle for every dimension, and torch.where chooses between sine and cosine.
import torch
from torch import nn


def wavelengths(d_model):
    dimension = torch.arange(d_model, dtype=torch.float64)
    return (2 * torch.pi * 10000 ** (2 * (dimension // 2) / d_model))[::2]


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.rate = dropout
        dimension = torch.arange(d_model, dtype=torch.float64)
        position = torch.arange(max_len, dtype=torch.float64).reshape(-1, 1)
        angle = position / 10000 ** (2 * (dimension // 2) / d_model)
        table = torch.where(dimension % 2 == 0, torch.sin(angle), torch.cos(angle))
        self.register_buffer("pe", table.float())

    def forward(self, x):
        rows = torch.narrow(self.pe, 0, 0, x.shape[1])
        return nn.functional.dropout(torch.add(rows, x), self.rate, self.training)
