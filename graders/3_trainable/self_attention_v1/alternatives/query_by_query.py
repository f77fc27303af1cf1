# A loop over sequences and a loop over queries, as the first context vector was worked out.
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        if x.dim() == 3:
            return torch.stack([self.forward(sequence) for sequence in x])
        keys, values = x @ self.W_key, x @ self.W_value
        contexts = []
        for token in x:
            query = token @ self.W_query
            scores = keys @ query
            contexts.append(torch.softmax(scores / len(query) ** 0.5, dim=0) @ values)
        return torch.stack(contexts)
