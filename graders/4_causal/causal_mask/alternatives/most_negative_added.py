# A mask of numbers is added to the scores: 0 where a key is visible, the lowest number where it is not.
import torch


def causal_mask(num_tokens, device=None):
    ones = torch.ones((num_tokens, num_tokens), device=device)
    return ones.triu(1).to(torch.bool)


def mask_after_softmax(weights):
    visible = causal_mask(weights.shape[-1], weights.device).logical_not()
    kept = weights * visible.to(weights.dtype)
    return kept.div(kept.sum(dim=-1).unsqueeze(-1))


def mask_before_softmax(scores, d_k):
    mask = causal_mask(scores.shape[-1], scores.device)
    lowest = torch.finfo(scores.dtype).min
    added = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(mask, lowest)
    return torch.softmax(scores / torch.tensor(float(d_k)).sqrt() + added, dim=-1)
