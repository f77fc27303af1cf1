# Every product is an einsum; the scale is a multiplication; the matrices start from normal numbers.
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_out**-0.5
        for name in ("W_value", "W_key", "W_query"):
            self.register_parameter(name, nn.Parameter(torch.empty(d_in, d_out).normal_(std=0.02)))

    def forward(self, x):
        q = torch.einsum("...td,de->...te", x, self.W_query)
        k = torch.einsum("...td,de->...te", x, self.W_key)
        v = torch.einsum("...td,de->...te", x, self.W_value)
        weights = (torch.einsum("...qe,...ke->...qk", q, k) * self.scale).softmax(dim=-1)
        return torch.einsum("...qk,...ke->...qe", weights, v)
