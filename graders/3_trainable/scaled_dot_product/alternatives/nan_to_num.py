# Minus infinity everywhere by masked_fill, whose own gradient is 0 there, and nan replaced afterwards.
import torch


def scaled_dot_product_attention(queries, keys, values, mask=None):
    d_k = torch.tensor(keys.shape[-1])
    scores = torch.matmul(queries / torch.sqrt(d_k), keys.transpose(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.nan_to_num(torch.nn.functional.softmax(scores, dim=-1), nan=0.0)
    return torch.matmul(weights, values), weights


def worked_example(scores, values):
    scaled = scores / torch.tensor(3.0).sqrt()
    weights = torch.nn.functional.softmax(scaled, dim=1)
    return scaled, weights, torch.matmul(weights, values)
