import math
import torch
from torch import nn

def wavelengths(d_model):
    return 2 * math.pi * 10000.0 ** (torch.arange(0, d_model, 2) / d_model)

class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pos = torch.arange(max_len).float()[:, None]
        w = 1.0 / 10000.0 ** (torch.arange(0, d_model, 2).float() / d_model)
        pe = torch.zeros(max_len, d_model + d_model % 2)    # one column too many for odd d_model ...
        pe[:, 0::2] = torch.sin(pos * w)
        pe[:, 1::2] = torch.cos(pos * w)
        self.register_buffer('pe', pe[:, :d_model])         # ... which is cut off here

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens]
        return self.dropout(x)
