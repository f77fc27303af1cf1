"""What is right: the course's mechanisms in float64, written out with loops, ``@``, ``exp`` and ``sum``.

Slow and plain on purpose. Nothing here is shared with the reference solutions, so that the two can
only agree by both being right. Everything is differentiable, so `input_gradient` needs no formulas.
"""

from collections.abc import Callable, Mapping, Sequence

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


def dot_scores(inputs: Tensor) -> Tensor:
    """(tokens, tokens): the dot product of each token with each, of inputs (tokens, d), pair by pair."""
    tokens = inputs.double()
    return torch.stack([torch.stack([(query * token).sum() for token in tokens]) for query in tokens])


def weighted_sums(weights: Tensor, inputs: Tensor) -> Tensor:
    """(queries, d): for each row of weights (queries, tokens), the tokens multiplied by them, added up."""
    sums = []
    for row in weights.double():
        total = torch.zeros(inputs.shape[-1], dtype=torch.float64)
        for weight, token in zip(row, inputs.double(), strict=True):
            total = total + weight * token
        sums.append(total)
    return torch.stack(sums)


def recurrent_state(weights: Mapping[str, Tensor], x: Tensor, nonlinearity: str) -> Tensor:
    """(batch, hidden): the last state of a one-layer nn.RNN of x (batch, tokens, d), step by step."""
    own = {name: weight.double() for name, weight in weights.items()}
    state = torch.zeros(x.shape[0], own["weight_hh_l0"].shape[0], dtype=torch.float64)
    for token in range(x.shape[1]):
        heard = x[:, token].double() @ own["weight_ih_l0"].T + own["bias_ih_l0"]
        before = heard + state @ own["weight_hh_l0"].T + own["bias_hh_l0"]
        state = before.tanh() if nonlinearity == "tanh" else before.clamp(min=0)
    return state


def input_gradient_norms(weights: Mapping[str, Tensor], x: Tensor, nonlinearity: str) -> Tensor:
    """(batch, tokens): the 2-norm, token by token, of the gradient of the summed last state."""
    upstream = torch.ones(x.shape[0], weights["weight_hh_l0"].shape[0], dtype=torch.float64)
    gradient = input_gradient(lambda given: recurrent_state(weights, given, nonlinearity), x, upstream)
    return (gradient * gradient).sum(dim=-1) ** 0.5


def scaled_dot_product(
    queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Context (…, queries, d_v) and weights (…, queries, keys): query by query, over what it may see alone.

    ``mask`` is True where a key is blocked. A query that may see nothing gets zeros.
    """
    leading, (num_queries, d_k), num_keys = queries.shape[:-2], queries.shape[-2:], keys.shape[-2]
    blocked = torch.zeros(*leading, num_queries, num_keys, dtype=torch.bool)
    blocked = blocked if mask is None else blocked | mask
    items = zip(
        queries.double().reshape(-1, num_queries, d_k),
        keys.double().reshape(-1, num_keys, d_k),
        blocked.reshape(-1, num_queries, num_keys),
        strict=True,
    )
    places = torch.eye(num_keys, dtype=torch.float64)
    rows = []
    for item_queries, item_keys, item_blocked in items:
        for query, hidden in zip(item_queries, item_blocked, strict=True):
            seen = [key for key in range(num_keys) if not hidden[key]]
            row = softmax(item_keys[seen] @ query / d_k**0.5) @ places[seen] if seen else 0 * places[0]
            rows.append(row)
    weights = torch.stack(rows).reshape(*leading, num_queries, num_keys)
    return weights @ values.double(), weights


def softmax_jacobian_norm(scores: Tensor) -> float:
    """The root of the sum of squares of all derivatives of softmax(scores), for scores (n,)."""
    weights = softmax(scores).tolist()
    squares = 0.0
    for i, mine in enumerate(weights):
        for j, other in enumerate(weights):
            rest = sum(weights[:i]) + sum(weights[i + 1 :])  # 1 - p_i, exact where p_i is nearly 1
            squares += (mine * (rest if i == j else other)) ** 2
    return squares**0.5


def additive_attention(
    weights: Mapping[str, Tensor],
    decoder_state: Tensor,
    encoder_states: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Context (batch, d_encoder) and weights (batch, tokens): v . tanh(W_s s + W_h h_j), state by state.

    ``mask`` (batch, tokens) is True where an encoder position is blocked.
    """
    contexts, rows = [], []
    for item, (state, states) in enumerate(zip(decoder_state, encoder_states, strict=True)):
        num_tokens = len(states)
        seen = [token for token in range(num_tokens) if mask is None or not mask[item, token]]
        row = torch.zeros(num_tokens, dtype=torch.float64)
        if seen:
            asked = linear(weights, "W_s", state)
            scores = [
                linear(weights, "v", (asked + linear(weights, "W_h", states[j])).tanh())[0] for j in seen
            ]
            row = softmax(torch.stack(scores)) @ torch.eye(num_tokens, dtype=torch.float64)[seen]
        rows.append(row)
        contexts.append(row @ states.double())
    return torch.stack(contexts), torch.stack(rows)


def self_attention(weights: Mapping[str, Tensor], x: Tensor) -> Tensor:
    """Unmasked contexts (…, tokens, d_out) of x (…, tokens, d_in): item by item, query by query."""
    if x.dim() > 2:
        return torch.stack([self_attention(weights, item) for item in x])
    queries, keys, values = (linear(weights, name, x) for name in ("W_query", "W_key", "W_value"))
    rows = [softmax(keys @ query / len(query) ** 0.5) @ values for query in queries]
    return torch.stack(rows)


def stacked_heads(weights: Mapping[str, Tensor], x: Tensor, num_heads: int) -> Tensor:
    """Contexts (batch, tokens, num_heads * d_out) of causal heads heads.0, heads.1, …, column by column."""
    columns = []
    for head in range(num_heads):
        prefix = f"heads.{head}."
        own = {name[len(prefix) :]: weights[name] for name in weights if name.startswith(prefix)}
        context = causal_attention(own, x)
        columns += [context[..., feature] for feature in range(context.shape[-1])]
    return torch.stack(columns, dim=-1)


def heads_apart(x: Tensor, num_heads: int) -> Tensor:
    """(batch, heads, tokens, head_dim) of x (batch, tokens, d_model): head h has features h * head_dim, …"""
    head_dim = x.shape[-1] // num_heads
    heads = []
    for head in range(num_heads):
        columns = [x[..., head * head_dim + feature] for feature in range(head_dim)]
        heads.append(torch.stack(columns, dim=-1))
    return torch.stack(heads, dim=1)


def heads_together(x: Tensor) -> Tensor:
    """(batch, tokens, heads * head_dim) of x (batch, heads, tokens, head_dim): one head after another."""
    columns = [x[:, head, :, feature] for head in range(x.shape[1]) for feature in range(x.shape[3])]
    return torch.stack(columns, dim=-1)


def multi_head_attention(weights: Mapping[str, Tensor], x: Tensor, num_heads: int) -> Tensor:
    """(batch, tokens, d_out) of causal heads on neighbouring features, mixed by out_proj."""
    outputs = []
    for item in x:
        queries, keys, values = (linear(weights, name, item) for name in ("W_query", "W_key", "W_value"))
        head_dim = queries.shape[-1] // num_heads
        heads = []
        for head in range(num_heads):
            part = slice(head * head_dim, (head + 1) * head_dim)
            rows = []
            for token in range(len(item)):
                scores = keys[: token + 1, part] @ queries[token, part]
                rows.append(softmax(scores / head_dim**0.5) @ values[: token + 1, part])
            heads.append(torch.stack(rows))
        outputs.append(linear(weights, "out_proj", torch.cat(heads, dim=-1)))
    return torch.stack(outputs)


def masked_multi_head_attention(
    weights: Mapping[str, Tensor], x: Tensor, n_heads: int, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Output (batch, tokens, d_model) and weights (batch, heads, tokens, tokens); a mask is True = blocked.

    The mask is (tokens, tokens), (batch, 1, tokens) or (batch, tokens, tokens). A query without any visible
    key has no weights and no context.
    """
    outputs, tables = [], []
    for index, item in enumerate(x):
        queries, keys, values = (linear(weights, name, item) for name in ("W_Q", "W_K", "W_V"))
        tokens, d_k = len(item), queries.shape[-1] // n_heads
        heads, rows_of_heads = [], []
        for head in range(n_heads):
            part = slice(head * d_k, (head + 1) * d_k)
            contexts, rows = [], []
            for query in range(tokens):
                visible = list(range(tokens))
                if mask is not None:
                    table = mask if mask.dim() == 2 else mask[index]
                    line = table[query] if len(table) > 1 else table[0]
                    visible = [key for key in visible if not bool(line[key])]
                row = torch.zeros(tokens, dtype=torch.float64)
                if visible:
                    scores = keys[visible, part] @ queries[query, part]
                    row = row.index_put((torch.tensor(visible),), softmax(scores / d_k**0.5))
                rows.append(row)
                contexts.append(row @ values[:, part])
            heads.append(torch.stack(contexts))
            rows_of_heads.append(torch.stack(rows))
        outputs.append(linear(weights, "W_O", torch.cat(heads, dim=-1)))
        tables.append(torch.stack(rows_of_heads))
    return torch.stack(outputs), torch.stack(tables)


def reordered(x: Tensor, order: Sequence[int]) -> Tensor:
    """x (batch, tokens, …) with its token order[i] at place i."""
    return torch.stack([x[:, token] for token in order], dim=1)


def equivariance_error(function: Callable[[Tensor], Tensor], x: Tensor, order: Sequence[int]) -> float:
    """The largest |function(Px) - P function(x)|, as one number."""
    moved, still = function(reordered(x, order)).double(), reordered(function(x).double(), order)
    return max(abs(a - b) for a, b in zip(moved.flatten().tolist(), still.flatten().tolist(), strict=True))


def invariance_error(function: Callable[[Tensor], Tensor], x: Tensor, order: Sequence[int]) -> float:
    """The largest |function(Px) - function(x)|, as one number."""
    moved, still = function(reordered(x, order)).double(), function(x).double()
    return max(abs(a - b) for a, b in zip(moved.flatten().tolist(), still.flatten().tolist(), strict=True))


def learned_positions(table: Tensor, x: Tensor) -> Tensor:
    """x (batch, tokens, d_model) with row p of the table added to token p of each sequence."""
    sequences = []
    for item in x.double():
        sequences.append(torch.stack([token + table[place].double() for place, token in enumerate(item)]))
    return torch.stack(sequences)


def shift_matrix(offset: int, d_model: int) -> Tensor:
    """(d_model, d_model): takes each sinusoidal encoding, as a column, to the one ``offset`` later."""
    rows = []
    for row in range(d_model):
        turn = torch.tensor(offset / 10000 ** (2 * (row // 2) / d_model), dtype=torch.float64)
        sine_row = row % 2 == 0
        partner = row + 1 if sine_row else row - 1
        entries = [0.0] * d_model
        entries[row] = turn.cos().item()
        entries[partner] = turn.sin().item() if sine_row else -turn.sin().item()
        rows.append(entries)
    return torch.tensor(rows, dtype=torch.float64)


def rotary(x: Tensor, positions: Tensor) -> Tensor:
    """x (…, tokens, head_dim), where pair (2i, 2i + 1) of a token at p turns by p / 10000^(2i / head_dim)."""
    head_dim = x.shape[-1]
    columns = []
    for dimension in range(head_dim):
        even = dimension - dimension % 2
        angles = positions.double() / 10000 ** (even / head_dim)
        own, partner = x[..., dimension].double(), x[..., even + 1 - dimension % 2].double()
        sign = 1 if dimension % 2 else -1
        columns.append(own * angles.cos() + sign * partner * angles.sin())
    return torch.stack(columns, dim=-1)


def alibi_slopes(n_heads: int) -> list[float]:
    """One slope a head, for a power of two: 2^(-8 / n), the square of it, the cube, …"""
    first, slopes = 2 ** (-8 / n_heads), []
    for _ in range(n_heads):
        slopes.append(first * (slopes[-1] if slopes else 1.0))
    return slopes


def alibi_bias(slopes: list[float], num_tokens: int) -> Tensor:
    """(heads, tokens, tokens): minus the slope for each token that the key lies back, 0 for later keys."""
    tokens = range(num_tokens)
    table = [[[-slope * max(query - key, 0) for key in tokens] for query in tokens] for slope in slopes]
    return torch.tensor(table, dtype=torch.float64)


def cross_attention(
    weights: Mapping[str, Tensor], target: Tensor, source: Tensor, n_heads: int, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Output (batch, n_target, d_target) and weights (batch, heads, n_target, n_source), query by query.

    Queries come from the target, keys and values from the source (Vaswani et al. 2017, section 3.2.3).
    ``mask`` (batch, n_source) is True where a source token is blocked.
    """
    outputs, tables = [], []
    for item, (asking, told) in enumerate(zip(target, source, strict=True)):
        queries, keys, values = (
            linear(weights, "W_Q", asking),
            linear(weights, "W_K", told),
            linear(weights, "W_V", told),
        )
        seen = [key for key in range(len(told)) if mask is None or not mask[item, key]]
        places = torch.eye(len(told), dtype=torch.float64)
        size = queries.shape[-1] // n_heads
        heads, columns = [], []
        for head in range(n_heads):
            part = slice(head * size, (head + 1) * size)
            rows = []
            for query in queries[:, part]:
                shares = softmax(keys[seen, part] @ query / size**0.5) if seen else None
                rows.append(0 * places[0] if shares is None else shares @ places[seen])
            heads.append(torch.stack(rows))
            columns += [heads[-1] @ values[:, feature] for feature in range(part.start, part.stop)]
        outputs.append(linear(weights, "W_O", torch.stack(columns, dim=-1)))
        tables.append(torch.stack(heads))
    return torch.stack(outputs), torch.stack(tables)
