# A number is added to the scores, 0 or -1e9; the weights are multiplied by 0 or 1.
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
            mask = x.new_zeros(tokens, tokens).bool()
        if (
            mask.dim() == 3
            and mask.size(0) == batch
            and mask.size(1) in (1, tokens)
            and mask.size(2) == tokens
        ):
            mask = mask.reshape(batch, 1, -1, tokens)
        elif tuple(mask.size()) != (tokens, tokens):
            raise ValueError(tuple(mask.size()))
        number = mask.to(x.dtype)
        scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) * self.d_k**-0.5 + number * -1e9
        weights = torch.softmax(scores, dim=-1) * (1 - number)
        contexts = torch.einsum("bhqk,bhkd->bqhd", weights, values)
        return self.W_O(contexts.reshape(batch, tokens, -1)), weights
