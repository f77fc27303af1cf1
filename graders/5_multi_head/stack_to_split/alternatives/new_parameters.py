# New Parameters, one for each layer; vstack and hstack join them.
import torch
from torch import nn


def stack_to_split(wrapper, attention):
    heads = list(wrapper.heads)
    attention.W_query.weight = nn.Parameter(torch.vstack([head.W_query.weight.detach() for head in heads]))
    attention.W_key.weight = nn.Parameter(torch.vstack([head.W_key.weight.detach() for head in heads]))
    attention.W_value.weight = nn.Parameter(torch.vstack([head.W_value.weight.detach() for head in heads]))
    if heads[0].W_query.bias is not None:
        attention.W_query.bias = nn.Parameter(torch.hstack([head.W_query.bias.detach() for head in heads]))
        attention.W_key.bias = nn.Parameter(torch.hstack([head.W_key.bias.detach() for head in heads]))
        attention.W_value.bias = nn.Parameter(torch.hstack([head.W_value.bias.detach() for head in heads]))
    old = attention.out_proj.weight
    attention.out_proj.weight = nn.Parameter(torch.eye(len(old), dtype=old.dtype, device=old.device))
    nn.init.constant_(attention.out_proj.bias, 0.0)
