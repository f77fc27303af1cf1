# A loop over the queries; a row that has nothing to see is multiplied by 0.
import torch


def scaled_dot_product_attention(queries, keys, values, mask=None):
    scores_shape = (*queries.shape[:-1], keys.shape[-2])
    mask = torch.zeros(1, dtype=torch.bool, device=keys.device) if mask is None else mask
    blocked = mask.expand(scores_shape)
    contexts, rows = [], []
    for position in range(queries.shape[-2]):
        query = queries[..., position, :].unsqueeze(-1)
        scores = (keys @ query).squeeze(-1) / query.shape[-2] ** 0.5
        hidden = blocked[..., position, :]
        row = torch.softmax(scores - 1e9 * hidden.to(scores.dtype), dim=-1) * (~hidden).to(scores.dtype)
        rows.append(row)
        contexts.append((row.unsqueeze(-1) * values).sum(dim=-2))
    return torch.stack(contexts, dim=-2), torch.stack(rows, dim=-2)


def worked_example(scores, values):
    scaled = scores / 3**0.5
    weights = torch.stack([torch.softmax(row, dim=0) for row in scaled])
    output = torch.stack([sum(w * value for w, value in zip(row, values, strict=True)) for row in weights])
    return scaled, weights, output
