# Torch's own function with an identity for values gives the weights; it is told what is visible.
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


class CrossAttention(nn.Module):
    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        if d_target % n_heads != 0:
            raise ValueError(f"{n_heads} heads and {d_target} features")
        self.n_heads = n_heads
        self.W_Q = nn.Linear(d_target, d_target, bias=False)
        self.W_K = nn.Linear(d_source, d_target, bias=False)
        self.W_V = nn.Linear(d_source, d_target, bias=False)
        self.W_O = nn.Linear(d_target, d_target, bias=False)

    def heads(self, x):
        return x.view(x.size(0), x.size(1), self.n_heads, -1).transpose(1, 2)

    def forward(self, target, source, mask=None):
        queries, keys = self.heads(self.W_Q(target)), self.heads(self.W_K(source))
        values = self.heads(self.W_V(source))
        eye = torch.eye(source.size(1), dtype=keys.dtype, device=keys.device).expand(*keys.shape[:3], -1)
        if mask is None:
            weights = scaled_dot_product_attention(queries, keys, eye)
        else:
            mask = mask[:, None, None]
            visible = ~mask | mask.all(dim=-1, keepdim=True)
            weights = scaled_dot_product_attention(queries, keys, eye, attn_mask=visible)
            weights = weights * ~mask
        return self.W_O((weights @ values).transpose(1, 2).reshape(target.shape)), weights
