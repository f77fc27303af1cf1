# Torch's own attention function, with identities for keys and values, scales and masks; einsum sums rows.
import torch
from torch.nn.functional import scaled_dot_product_attention


def causal_mask(num_tokens, device=None):
    mask = torch.full((num_tokens, num_tokens), True, device=device)
    row, column = torch.tril_indices(num_tokens, num_tokens, device=device)
    mask[row, column] = False
    return mask


def mask_after_softmax(weights):
    visible = (~causal_mask(weights.shape[-1], weights.device)).type_as(weights)
    sums = torch.einsum("...qk,qk->...q", weights, visible)
    return torch.einsum("...qk,qk,...q->...qk", weights, visible, 1 / sums)


def mask_before_softmax(scores, d_k):
    num_tokens = scores.shape[-1]
    eye = torch.eye(num_tokens, dtype=scores.dtype, device=scores.device).expand_as(scores)
    visible = ~causal_mask(num_tokens, scores.device)
    return scaled_dot_product_attention(scores, eye, eye, attn_mask=visible, scale=d_k**-0.5)
