# torch.where chooses between the enlarged weight and 0; a rate of 1 needs no case of its own.
import torch


def attention_dropout(weights, rate, training):
    if not 0.0 <= rate <= 1.0:
        raise ValueError(rate)
    if training:
        survives = torch.rand(weights.shape, device=weights.device) >= rate
        return torch.where(survives, weights / (1 - rate), torch.zeros_like(weights))
    return weights.clone()
