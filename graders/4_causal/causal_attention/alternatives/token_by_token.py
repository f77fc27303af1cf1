# A loop over the queries: each looks at the keys up to itself, so there is nothing to mask.
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        if x.shape[1] > len(self.mask):
            raise RuntimeError(f"{x.shape[1]} tokens, but the context has {len(self.mask)}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        contexts = []
        for token in range(x.shape[1]):
            query, past = queries[:, token : token + 1], slice(token + 1)
            scores = query @ keys[:, past].transpose(1, 2) / keys.shape[-1] ** 0.5
            contexts.append(self.dropout(scores.softmax(dim=-1)) @ values[:, past])
        return torch.cat(contexts, dim=1)
