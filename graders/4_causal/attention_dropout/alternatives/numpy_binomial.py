# Numpy draws how often each weight survives, 0 or 1 times.
import numpy as np
import torch


def attention_dropout(weights, rate, training):
    if not 0 <= rate <= 1:
        raise ValueError(f"{rate} is no probability")
    if not training:
        return weights.clone()
    survives = torch.from_numpy(np.random.binomial(1, 1 - rate, size=tuple(weights.shape)))
    return weights * survives.to(weights) / max(1 - rate, 1e-12)
