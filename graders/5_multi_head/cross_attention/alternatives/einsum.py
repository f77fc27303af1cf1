# Three sums over named indices; what is visible is multiplied in.
import torch
from torch import einsum, nn


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        if d_target % n_heads:
            raise ValueError("the heads do not divide d_target")
        self.heads = n_heads
        self.W_Q = nn.Linear(d_target, d_target, bias=False)
        self.W_K = nn.Linear(d_source, d_target, bias=False)
        self.W_V = nn.Linear(d_source, d_target, bias=False)
        self.W_O = nn.Linear(d_target, d_target, bias=False)

    def forward(self, target, source, mask=None):
        q, k, v = (
            layer(x).reshape(*x.shape[:2], self.heads, -1)
            for layer, x in ((self.W_Q, target), (self.W_K, source), (self.W_V, source))
        )
        scores = einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            visible = (~mask).to(scores.dtype)
            scores = scores + einsum("bs,bhts->bhts", 1 - visible, torch.full_like(scores, -1e9))
            weights = einsum("bs,bhts->bhts", visible, scores.softmax(-1))
        merged = einsum("bhts,bshd->bthd", weights, v).reshape(target.shape)
        return self.W_O(merged), weights
