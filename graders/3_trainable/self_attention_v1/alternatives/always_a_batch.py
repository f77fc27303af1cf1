# One sequence becomes a batch of one; products are batched; queries are scaled before they meet the keys.
import torch
from torch import nn
from torch.nn import functional


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, x):
        batch = x if x.dim() == 3 else x.unsqueeze(0)
        every_matrix = torch.cat([self.W_query, self.W_key, self.W_value], dim=1)
        queries, keys, values = (batch @ every_matrix).chunk(3, dim=-1)
        scores = torch.bmm(queries / queries.shape[-1] ** 0.5, keys.permute(0, 2, 1))
        contexts = torch.bmm(functional.softmax(scores, dim=2), values)
        return contexts if x.dim() == 3 else contexts.squeeze(0)
