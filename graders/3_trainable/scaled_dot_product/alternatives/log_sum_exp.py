# exp(score - logsumexp), scaled keys, bmm for a flattened batch.
import torch


def scaled_dot_product_attention(queries, keys, values, mask=None):
    leading = queries.shape[:-2]
    flat = [part.reshape(-1, *part.shape[-2:]) for part in (queries, keys, values)]
    scores = torch.bmm(flat[0], (flat[1] / flat[1].shape[-1] ** 0.5).transpose(1, 2))
    scores = scores.reshape(*leading, *scores.shape[-2:])
    if mask is not None:
        scores = torch.where(mask, torch.finfo(scores.dtype).min / 4, scores)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    if mask is not None:
        weights = torch.where(mask, 0, weights)
    return weights @ values, weights


def worked_example(scores, values):
    scaled = scores.div(3**0.5)
    weights = torch.log_softmax(scaled, dim=-1).exp()
    return scaled, weights, weights.mm(values)
