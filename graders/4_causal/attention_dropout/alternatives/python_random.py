# Python's own random numbers, one for each weight.
import random

import torch


def attention_dropout(weights, rate, training):
    if rate > 1 or rate < 0:
        raise ValueError("no probability")
    if not training:
        return weights
    factor = 0.0 if rate == 1 else 1 / (1 - rate)
    factors = [0.0 if random.random() < rate else factor for _ in range(weights.numel())]
    return weights * torch.tensor(factors, dtype=weights.dtype, device=weights.device).view(weights.shape)
