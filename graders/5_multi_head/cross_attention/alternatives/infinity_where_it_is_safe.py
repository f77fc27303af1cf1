# Minus infinity, but never in a sentence without a visible token; a mask of None is a branch of its own.
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        if d_target % n_heads != 0:
            raise ValueError(f"{d_target} / {n_heads}")
        self.n_heads, self.d_k = n_heads, d_target // n_heads
        for name, size in (("W_Q", d_target), ("W_K", d_source), ("W_V", d_source), ("W_O", d_target)):
            self.add_module(name, nn.Linear(size, d_target, bias=False))

    def split(self, x):
        batch, tokens, _ = x.shape
        return x.view(batch, tokens, self.n_heads, self.d_k).permute(0, 2, 1, 3)

    def forward(self, target, source, mask=None):
        q, k, v = self.split(self.W_Q(target)), self.split(self.W_K(source)), self.split(self.W_V(source))
        scores = torch.matmul(q, k.mT) / self.d_k**0.5
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            mask = mask.unsqueeze(1).unsqueeze(2)
            nothing = mask.all(dim=-1, keepdim=True)
            weights = scores.masked_fill(mask & ~nothing, float("-inf")).softmax(dim=-1)
            weights = torch.where(mask, torch.zeros_like(weights), weights)
        return self.W_O((weights @ v).transpose(1, 2).flatten(2)), weights
