# A copy is made, enlarged, and zeroed in place where a number says so.
import torch


def attention_dropout(weights, rate, training):
    assert 0 <= rate <= 1, "the rate is a probability"
    copy = weights.clone()
    if training and rate > 0:
        gone = torch.zeros_like(weights).uniform_() < rate
        if rate < 1:
            copy = copy / (1 - rate)
        copy[gone] = 0
    return copy
