import torch


def transfer_weights(v2, v1):
    with torch.no_grad():
        v1.W_query[:] = v2.W_query.weight.T
        v1.W_key[:] = v2.W_key.weight.T
        v1.W_value[:] = v2.W_value.weight.T
