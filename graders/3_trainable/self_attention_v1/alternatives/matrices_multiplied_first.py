# x (W_query W_key^T) x^T is the same table of scores, and weights (x W_value) = (weights x) W_value.
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        form = self.W_query @ self.W_key.T / self.W_key.shape[1] ** 0.5
        weights = torch.softmax(x @ form @ x.transpose(-1, -2), -1)
        return weights @ x @ self.W_value
