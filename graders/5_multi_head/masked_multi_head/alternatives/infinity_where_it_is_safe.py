# Minus infinity, but never in a row without a visible key; a mask of None is a branch of its own.
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
        scores = queries @ keys.mT / self.d_k**0.5
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            if mask.shape not in ((tokens, tokens), (batch, 1, tokens), (batch, tokens, tokens)):
                raise ValueError("this mask does not fit")
            blocked = mask if mask.dim() == 2 else mask[:, None]
            some = ~blocked.all(dim=-1, keepdim=True)
            weights = scores.masked_fill(blocked & some, -torch.inf).softmax(dim=-1)
            weights = torch.where(blocked, torch.zeros_like(weights), weights)
        return self.W_O((weights @ values).transpose(1, 2).flatten(2)), weights
