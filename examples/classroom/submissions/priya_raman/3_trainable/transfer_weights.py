import torch


def transfer_weights(v2, v1):
    with torch.no_grad():
        v1.W_query.data = v2.W_query.weight.data.t().clone()
        v1.W_key.data   = v2.W_key.weight.data.t().clone()
        v1.W_value.data = v2.W_value.weight.data.t().clone()
