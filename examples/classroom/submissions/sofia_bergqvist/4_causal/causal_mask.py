"""Causal mask. Sofia Bergqvist"""
import torch


def causal_mask(num_tokens, device=None):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool, device=device)
    for row in range(num_tokens):
        mask[row, row + 1:] = True
    return mask


def mask_after_softmax(weights):
    mask = causal_mask(weights.size(-1), weights.device)
    masked = weights.masked_fill(mask, 0.0)
    row_sums = masked.sum(dim=-1).unsqueeze(-1)
    return masked / row_sums


def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.size(-1), scores.device)
    scaled = scores / d_k ** 0.5
    # the smallest number there is, instead of -inf (I got nan once with -inf)
    masked = scaled.masked_fill(mask, torch.finfo(scaled.dtype).min)
    return torch.nn.functional.softmax(masked, dim=-1)
