# Minus infinity fills the scores, which passes no gradient back; nan is replaced after the softmax.
import torch
from torch import nn


class MaskedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError(f"{n_heads} heads cannot share {d_model} features equally")
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=False)
        self.W_K = nn.Linear(d_model, d_model, bias=False)
        self.W_V = nn.Linear(d_model, d_model, bias=False)
        self.W_O = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        batch, tokens, _ = x.shape
        split = (batch, tokens, self.n_heads, self.d_k)
        queries = self.W_Q(x).view(split).transpose(1, 2)
        keys = self.W_K(x).view(split).transpose(1, 2)
        values = self.W_V(x).view(split).transpose(1, 2)
        scores = (queries @ keys.transpose(-1, -2)) / self.d_k**0.5
        if mask is None:
            mask = torch.zeros(tokens, tokens, device=x.device, dtype=torch.bool)
        assert mask.shape in ((tokens, tokens), (batch, 1, tokens), (batch, tokens, tokens)), mask.shape
        for_heads = mask if mask.ndim == 2 else mask[:, None, :, :]
        weights = torch.nan_to_num(torch.softmax(scores.masked_fill(for_heads, -torch.inf), -1), nan=0.0)
        contexts = torch.matmul(weights, values).permute(0, 2, 1, 3)
        return self.W_O(contexts.reshape(batch, tokens, self.n_heads * self.d_k)), weights
