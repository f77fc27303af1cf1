import math
import torch
import torch.nn as nn

def wavelengths(d_model):
    result = []
    for i in range(math.ceil(d_model / 2)):
        result.append(2 * math.pi * 10000 ** (2 * i / d_model))
    return torch.tensor(result)

class SinusoidalPE(nn.Module):
    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        pos = torch.arange(max_len)
        # one column after the other, slow but I understand it
        for j in range(d_model):
            i = j // 2
            angle = pos / 10000 ** (2 * i / d_model)
            pe[:, j] = torch.sin(angle) if j % 2 == 0 else torch.cos(angle)
        self.register_buffer("pe", pe)

    def forward(self, x):
        num_tokens = x.shape[1]
        x = x + self.pe[:num_tokens].unsqueeze(0)
        return self.dropout(x)
