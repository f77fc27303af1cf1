# The heads hold the weights; forward joins them, projects once for all heads, and attends in four dimensions.
import torch
from building_blocks import CausalAttention
from torch import nn


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def project(self, x, name):
        layers = [getattr(head, name) for head in self.heads]
        weight = torch.cat([layer.weight for layer in layers])
        bias = None if layers[0].bias is None else torch.cat([layer.bias for layer in layers])
        projected = nn.functional.linear(x, weight, bias)
        return projected.unflatten(-1, (len(layers), -1)).transpose(1, 2)

    def forward(self, x):
        num_tokens = x.shape[1]
        queries, keys, values = (self.project(x, name) for name in ("W_query", "W_key", "W_value"))
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.heads[0].mask[:num_tokens, :num_tokens], -torch.inf)
        weights = self.heads[0].dropout(scores.softmax(dim=-1))
        return (weights @ values).transpose(1, 2).flatten(start_dim=2)
