# Minus infinity fills the scores, which passes no gradient back; nan is replaced after the softmax.
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        if n_heads * (d_target // n_heads) != d_target:
            raise ValueError("heads")
        self.shape = (n_heads, d_target // n_heads)
        self.W_Q = nn.Linear(d_target, d_target, bias=False)
        self.W_K = nn.Linear(d_source, d_target, bias=False)
        self.W_V = nn.Linear(d_source, d_target, bias=False)
        self.W_O = nn.Linear(d_target, d_target, bias=False)

    def forward(self, target, source, mask=None):
        queries = self.W_Q(target).unflatten(2, self.shape).movedim(1, 2) * self.shape[1] ** -0.5
        keys = self.W_K(source).unflatten(2, self.shape).movedim(1, 3)  # (batch, heads, d_k, n_source)
        values = self.W_V(source).unflatten(2, self.shape).movedim(1, 2)
        scores = queries @ keys
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None], -torch.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        return self.W_O((weights @ values).movedim(2, 1).flatten(2)), weights
