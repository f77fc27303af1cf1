import torch
from torch import nn


def transfer_weights(v2, v1):
    def turned(linear):
        return nn.Parameter(linear.weight.detach().clone().transpose(0, 1).contiguous())

    v1.W_query = turned(v2.W_query)
    v1.W_key = turned(v2.W_key)
    v1.W_value = turned(v2.W_value)
