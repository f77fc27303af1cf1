# The softmax is written out, less the maximum of each row; the root is taken of a tensor.
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_in, d_out)))
        self.W_key = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_in, d_out)))
        self.W_value = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_in, d_out)))

    def forward(self, x):
        scores = torch.matmul(x.matmul(self.W_query), x.matmul(self.W_key).swapaxes(-1, -2))
        scores = scores / torch.sqrt(torch.tensor(self.d_out))
        powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return powers.div(powers.sum(-1, keepdim=True)).matmul(x.matmul(self.W_value))
