# The three layers' weights are joined, so that one product makes queries, keys and values.
import torch
from torch import nn
from torch.nn import functional


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))

    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if self.W_query.bias is None else torch.cat([layer.bias for layer in layers])
        queries, keys, values = functional.linear(x, weight, bias).chunk(3, dim=-1)
        weights = torch.einsum("...qd,...kd->...qk", queries, keys).div(keys.size(-1) ** 0.5).softmax(-1)
        return torch.einsum("...qk,...kd->...qd", weights, values)
