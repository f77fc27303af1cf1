# Each position is the one before it, turned once more: the same rotation takes every p to p + 1.
import math

import torch
from torch import nn


def wavelengths(d_model):
    exponent = torch.linspace(0, 2 * ((d_model + 1) // 2 - 1), (d_model + 1) // 2) / d_model
    return math.tau * torch.exp(exponent * math.log(10000))


class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        step = torch.exp(torch.arange(0, d_model, 2).double() * (-math.log(10000.0) / d_model))
        sine, cosine = torch.zeros_like(step), torch.ones_like(step)
        rows = []
        for _ in range(max_len):
            rows.append(torch.stack([sine, cosine], dim=1).flatten()[:d_model])
            turned = sine * step.cos() + cosine * step.sin()
            cosine = cosine * step.cos() - sine * step.sin()
            sine = turned
        self.register_buffer("pe", torch.stack(rows).to(torch.get_default_dtype()))

    def forward(self, x):
        positions = torch.arange(x.shape[1], device=x.device)
        return self.dropout(x + self.pe[positions])
