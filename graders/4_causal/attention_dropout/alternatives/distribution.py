# A distribution object is asked for samples; survivors are multiplied, then scaled.
import torch
from torch.distributions import Bernoulli


def attention_dropout(weights, rate, training):
    if rate < 0.0 or rate > 1.0:
        raise ValueError("rate")
    if not training:
        return weights
    if rate == 1.0:
        return weights.new_zeros(weights.shape)
    gone = Bernoulli(probs=rate).sample(weights.shape).to(weights.device, torch.bool)
    return weights.masked_fill(gone, 0).div(1 - rate)
