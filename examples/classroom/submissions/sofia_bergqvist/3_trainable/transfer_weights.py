"""3.1 Transfer weights. Sofia Bergqvist"""
import torch


def transfer_weights(v2, v1):
    layers = dict(v2.named_modules())
    with torch.no_grad():
        for name, parameter in v1.named_parameters():
            weight = layers[name].weight
            assert weight.shape == parameter.shape[::-1], name
            parameter.copy_(weight.transpose(0, 1))
