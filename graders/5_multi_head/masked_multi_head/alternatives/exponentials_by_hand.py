# A table for each sequence in every case; exponentials by hand, and sums that are never 0.
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
        visible = torch.ones(batch, tokens, tokens, dtype=torch.bool, device=x.device)
        if mask is not None:
            shape = tuple(mask.shape)
            if shape == (tokens, tokens):
                mask = mask.unsqueeze(0)
            elif shape not in {(batch, 1, tokens), (batch, tokens, tokens)}:
                raise ValueError(f"no mask has the shape {shape}")
            visible = visible & mask.logical_not()
        visible = visible[:, None]
        scores = torch.matmul(queries, keys.transpose(-2, -1)).div(self.d_k**0.5)
        powers = (scores - scores.detach().masked_fill(~visible, -1e4).amax(-1, keepdim=True)).clamp(max=0)
        powers = powers.exp() * visible
        weights = powers / powers.sum(dim=-1, keepdim=True).clamp(min=1e-9)
        contexts = (weights @ values).permute(0, 2, 1, 3).contiguous().view(batch, tokens, -1)
        return self.W_O(contexts), weights
