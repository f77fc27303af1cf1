import torch
from torch import nn

@torch.no_grad()
def transfer_weights(v2, v1):
    # einsum spells the transpose out: o(utput), i(nput)
    pairs = zip((v1.W_query, v1.W_key, v1.W_value), (v2.W_query, v2.W_key, v2.W_value))
    for parameter, layer in pairs:
        parameter.data = torch.einsum('oi->io', layer.weight.data)   # shares memory, statement says ok
