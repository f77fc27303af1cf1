# Loops over heads, queries and keys.
import torch


def alibi_slopes(n_heads):
    allowed = [2**k for k in range(20)]
    if n_heads not in allowed:
        raise ValueError(f"{n_heads} heads")
    return torch.tensor([2 ** (-8 * (head + 1) / n_heads) for head in range(n_heads)])


def alibi_bias(n_heads, num_tokens):
    bias = torch.zeros(n_heads, num_tokens, num_tokens)
    for head, slope in enumerate(alibi_slopes(n_heads)):
        for query in range(num_tokens):
            for key in range(query):
                bias[head, query, key] = -slope * (query - key)
    return bias
