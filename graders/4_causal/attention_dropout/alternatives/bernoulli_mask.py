# The mask of survivors is drawn in place, as numbers 0 and 1 of the right type, and multiplied.
import torch


def attention_dropout(weights, rate, training):
    if rate < 0 or rate > 1:
        raise ValueError("rate must lie between 0 and 1")
    if not training or rate == 0:
        return weights
    kept = torch.empty_like(weights).bernoulli_(1 - rate)
    return weights * kept / (1 - rate) if rate < 1 else weights * 0
