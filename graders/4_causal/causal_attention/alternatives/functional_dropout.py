# Dropout is functional and told the mode; the softmax is in float32; the weights are kept to be looked at.
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.p = dropout
        self.weights = None
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        position = torch.arange(context_length)
        self.register_buffer("mask", position[None, :] > position[:, None])

    def forward(self, x):
        tokens = x.shape[1]
        self._blocked = self.mask[:tokens, :tokens]
        scores = self.W_query(x).matmul(self.W_key(x).permute(0, 2, 1))
        scores = torch.where(
            self._blocked, -torch.inf, scores * scores.new_tensor(self.W_key.out_features) ** -0.5
        )
        self.weights = F.softmax(scores.float(), dim=2).type_as(x)
        return F.dropout(self.weights, p=self.p, training=self.training) @ self.W_value(x)
