# A slice of the features for each head, stacked; and the heads concatenated, one by one.
import torch


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if d_model % num_heads:
        raise ValueError("num_heads does not divide d_model")
    size = d_model // num_heads
    parts = []
    for start in range(0, d_model, size):
        parts.append(x[:, :, start : start + size])
    return torch.stack(parts, dim=1)


def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)
