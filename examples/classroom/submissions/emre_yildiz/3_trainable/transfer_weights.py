import torch

def transfer_weights(v2, v1):
    for n in ('W_query', 'W_key', 'W_value'):
        src = getattr(v2, n).weight
        dst = getattr(v1, n)
        dst.data.copy_(src.data.T)
