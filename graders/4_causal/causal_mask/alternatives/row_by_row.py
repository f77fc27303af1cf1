# A loop over the queries: each row is shared out, or normalised, over its own first entries.
import torch


def causal_mask(num_tokens, device=None):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool, device=device)
    for query in range(num_tokens):
        mask[query, query + 1 :] = True
    return mask


def mask_after_softmax(weights):
    rows = []
    for query in range(weights.shape[-1]):
        seen = weights[..., query, : query + 1]
        unseen = torch.zeros_like(weights[..., query, query + 1 :])
        rows.append(torch.cat([seen / seen.sum(-1, keepdim=True), unseen], dim=-1))
    return torch.stack(rows, dim=-2)


def mask_before_softmax(scores, d_k):
    rows = []
    for query in range(scores.shape[-1]):
        seen = torch.softmax(scores[..., query, : query + 1] / d_k**0.5, dim=-1)
        unseen = torch.zeros_like(scores[..., query, query + 1 :])
        rows.append(torch.cat([seen, unseen], dim=-1))
    return torch.stack(rows, dim=-2)
