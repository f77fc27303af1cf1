"""What is right: the course's mechanisms in float64, written out with loops, ``@``, ``exp`` and ``sum``.

Slow and plain on purpose. Nothing here is shared with the reference solutions, so that the two can
only agree by both being right. Everything is differentiable, so `input_gradient` needs no formulas.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    """Normalised exponentials along the last dimension: positive, summing to one."""
    scores = scores.double()
    powers = (scores - scores.detach().amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


def linear(weights: Mapping[str, Tensor], name: str, x: Tensor) -> Tensor:
    """The layer called ``name`` applied to x (…, in): x @ weight.T, plus the bias where there is one."""
    projected = x.double() @ weights[f"{name}.weight"].double().T
    bias = weights.get(f"{name}.bias")
    return projected if bias is None else projected + bias.double()


def causal_mask(num_tokens: int) -> Tensor:
    """(tokens, tokens) of bool, a row for each query: True where the key comes after it."""
    return torch.tensor([[key > query for key in range(num_tokens)] for query in range(num_tokens)])


def causal_weights(scores: Tensor, d_k: int) -> Tensor:
    """Attention weights (…, tokens, tokens) of raw scores: one softmax a query, over the keys up to it."""
    num_tokens = scores.shape[-1]
    rows = []
    for query in range(num_tokens):
        visible = softmax(scores[..., query, : query + 1].double() / d_k**0.5)
        future = torch.zeros(*scores.shape[:-2], num_tokens - query - 1, dtype=torch.float64)
        rows.append(torch.cat([visible, future], dim=-1))
    return torch.stack(rows, dim=-2)


def renormalised(weights: Tensor) -> Tensor:
    """Attention weights (…, tokens, tokens) without their future, each row shared out again to sum to one."""
    num_tokens = weights.shape[-1]
    rows = []
    for query in range(num_tokens):
        visible = weights[..., query, : query + 1].double()
        future = torch.zeros(*weights.shape[:-2], num_tokens - query - 1, dtype=torch.float64)
        rows.append(torch.cat([visible / visible.sum(dim=-1, keepdim=True), future], dim=-1))
    return torch.stack(rows, dim=-2)


def causal_attention(weights: Mapping[str, Tensor], x: Tensor) -> Tensor:
    """Context vectors (batch, tokens, d_out) of x (batch, tokens, d_in): item by item, query by query."""
    contexts = []
    for item in x:
        queries, keys, values = (linear(weights, name, item) for name in ("W_query", "W_key", "W_value"))
        rows = []
        for token, query in enumerate(queries):
            scores = keys[: token + 1] @ query
            rows.append(softmax(scores / len(query) ** 0.5) @ values[: token + 1])
        contexts.append(torch.stack(rows))
    return torch.stack(contexts)


def input_gradient(function: Callable[[Tensor], Tensor], x: Tensor, upstream: Tensor) -> Tensor:
    """The gradient that reaches x when ``upstream`` is the gradient of ``function(x)``."""
    leaf = x.detach().double().requires_grad_()
    (gradient,) = torch.autograd.grad(function(leaf), leaf, upstream.double())
    return gradient


def plain_attention(matrices: Mapping[str, Tensor], x: Tensor) -> Tensor:
    """Unmasked contexts (batch, tokens, d_out) of x (batch, tokens, d_in); matrices are (d_in, d_out)."""
    contexts = []
    for item in x.double():
        queries, keys, values = (item @ matrices[name].double() for name in ("W_query", "W_key", "W_value"))
        rows = [softmax(keys @ query / len(query) ** 0.5) @ values for query in queries]
        contexts.append(torch.stack(rows))
    return torch.stack(contexts)


def sinusoidal_table(max_len: int, d_model: int) -> Tensor:
    """(max_len, d_model): PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), and PE(pos, 2i + 1) its cosine."""
    positions = torch.tensor([float(position) for position in range(max_len)], dtype=torch.float64)
    columns = []
    for dimension in range(d_model):
        pair = dimension // 2
        angles = positions / 10000 ** (2 * pair / d_model)
        columns.append(angles.sin() if dimension % 2 == 0 else angles.cos())
    return torch.stack(columns, dim=1)


def sinusoidal_wavelengths(d_model: int) -> Tensor:
    """(ceil(d_model / 2),): how many tokens one turn of each sine takes."""
    turns = [2 * torch.pi * 10000 ** (2 * pair / d_model) for pair in range((d_model + 1) // 2)]
    return torch.tensor(turns, dtype=torch.float64)
