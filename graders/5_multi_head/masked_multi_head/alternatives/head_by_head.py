# A loop over the heads; rows that see nothing are unblocked before the softmax and multiplied by 0 after it.
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
        if mask is not None and mask.shape not in [
            (tokens, tokens),
            (batch, 1, tokens),
            (batch, tokens, tokens),
        ]:
            raise ValueError("a mask is (T, T), (B, 1, T) or (B, T, T)")
        tables, contexts = [], []
        for head in range(self.n_heads):
            table = queries[:, head] @ keys[:, head].transpose(1, 2) / self.d_k**0.5
            if mask is None:
                table = torch.softmax(table, dim=2)
            else:
                empty = mask.all(dim=-1, keepdim=True)
                table = torch.softmax(table.masked_fill(mask & ~empty, float("-inf")), dim=2)
                table = table * ~empty
            tables.append(table)
            contexts.append(table @ values[:, head])
        return self.W_O(torch.cat(contexts, dim=-1)), torch.stack(tables, dim=1)
