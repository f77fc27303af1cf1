# Whole new layers, made in the right size, number type and device, take the places of the old ones.
import torch
from torch import nn


def stack_to_split(wrapper, attention):
    for name in ("W_query", "W_key", "W_value"):
        layers = [head.get_submodule(name) for head in wrapper.heads]
        weight = torch.stack([layer.weight.data for layer in layers]).flatten(0, 1)
        has_bias = layers[0].bias is not None
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias=has_bias)
        layer.weight.data = weight
        if has_bias:
            layer.bias.data = torch.stack([layer.bias.data for layer in layers]).flatten()
        setattr(attention, name, layer)
    with torch.no_grad():
        attention.out_proj.weight.copy_(torch.eye(attention.out_proj.out_features))
        attention.out_proj.bias *= 0
