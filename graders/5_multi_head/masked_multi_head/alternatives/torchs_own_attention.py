# Torch's own function with an identity for values gives the weights; it is told what is visible.
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
        if mask is None:
            mask = torch.zeros_like(x[0, :, 0]).bool().expand(tokens, tokens)
        sizes = list(mask.shape)
        if sizes not in ([tokens, tokens], [batch, 1, tokens], [batch, tokens, tokens]):
            raise ValueError(f"mask of shape {sizes}")
        blocked = (mask if len(sizes) == 2 else mask[:, None]).expand(batch, self.n_heads, tokens, tokens)
        seen = blocked & ~blocked.all(dim=-1, keepdim=True)
        eye = torch.eye(tokens, dtype=x.dtype, device=x.device).expand_as(blocked)
        attend = nn.functional.scaled_dot_product_attention
        weights = attend(queries, keys, eye, attn_mask=~seen).masked_fill(blocked, 0)
        merged = (weights @ values).movedim(1, 2).reshape(batch, tokens, self.n_heads * self.d_k)
        return self.W_O(merged), weights
