"""The three parameters are also kept in a list, to loop over."""

import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.all_three = nn.ParameterList([self.W_query, self.W_key, self.W_value])  # the same, to loop over

    def forward(self, x):
        queries, keys, values = [x @ weight for weight in self.all_three]
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        return scores.softmax(dim=-1) @ values
