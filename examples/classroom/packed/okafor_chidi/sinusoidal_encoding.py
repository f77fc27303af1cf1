import math
import torch
import torch.nn as nn

# Chidi Okafor, week 6

def wavelengths(d_model):
    return torch.tensor([2 * math.pi * math.pow(10000, i / d_model) for i in range(0, d_model, 2)])

class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(max_len, dtype=torch.float)
        for i in range(0, d_model, 2):
            freq = 1 / math.pow(10000, i / d_model)
            pe[:, i] = torch.sin(position * freq)
            if i + 1 < d_model:
                pe[:, i + 1] = torch.cos(position * freq)
        self.register_buffer('pe', pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens, :]
        return self.dropout(x)
