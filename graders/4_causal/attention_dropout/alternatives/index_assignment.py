# What survives is picked out by a boolean index, which needs the numbers of the draw.
import torch


def attention_dropout(weights, rate, training):
    if rate < 0:
        raise ValueError("rate is negative")
    if rate > 1:
        raise ValueError("rate is larger than 1")
    if not training:
        return weights
    result = torch.zeros_like(weights)
    stays = torch.rand_like(weights) >= rate
    if stays.any():
        result[stays] = weights[stays] / (1 - rate)
    return result
