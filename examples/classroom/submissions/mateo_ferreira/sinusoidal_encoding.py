import math
import torch
import torch.nn as nn

def _rates(d_model):
    """radians per token, one for each pair; odd widths have one more"""
    pairs = (d_model + 1) // 2
    return torch.pow(10000.0, -2 * torch.arange(pairs) / d_model)

def wavelengths(d_model):
    return math.tau / _rates(d_model)

class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        phase = torch.outer(torch.arange(max_len).float(), _rates(d_model))      # (max_len, pairs)
        table = torch.stack([phase.sin(), phase.cos()], dim=-1).flatten(1)       # sin cos sin cos ...
        self.register_buffer('pe', table[:, :d_model].contiguous())              # odd: last cos falls off

    def forward(self, x):
        num_tokens = x.shape[1]
        x = torch.add(x, self.pe.narrow(0, 0, num_tokens))
        return self.dropout(x)
