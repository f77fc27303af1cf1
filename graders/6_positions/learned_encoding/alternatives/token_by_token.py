# One token after the other; the functional form of the look-up.
import torch
from torch import nn
from torch.nn import functional


class LearnedPE(nn.Module):
    def __init__(self, d_model=512, max_len=512):
        super().__init__()
        self.pe = nn.Embedding(max_len, d_model)

    def forward(self, x):
        tokens = []
        for position in range(x.shape[1]):
            index = torch.tensor(position, device=x.device)
            tokens.append(x[:, position] + functional.embedding(index, self.pe.weight))
        return torch.stack(tokens, dim=1)
