# Relative positions k - q of all pairs, times the slopes; the lower triangle is kept.
import torch


def alibi_slopes(n_heads):
    assert n_heads > 0
    assert n_heads & (n_heads - 1) == 0
    start = 2 ** -(8 / n_heads)
    return torch.pow(torch.tensor(start), torch.arange(1, 1 + n_heads))


def alibi_bias(n_heads, num_tokens):
    t = torch.arange(num_tokens, dtype=torch.float32)
    relative = t.view(1, -1) - t.view(-1, 1)
    return torch.tril(alibi_slopes(n_heads).view(n_heads, 1, 1) * relative)
