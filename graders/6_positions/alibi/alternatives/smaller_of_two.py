# min(k - q, 0) is negative for the past alone; slopes are numbers spaced evenly in their logarithm.
import torch


def alibi_slopes(n_heads):
    if bin(n_heads).count("1") != 1:
        raise ValueError("no power of two")
    return torch.logspace(-8 / n_heads, -8, n_heads, base=2.0)


def alibi_bias(n_heads, num_tokens):
    position = torch.arange(num_tokens)
    step = torch.minimum(position - position.unsqueeze(1), torch.tensor(0))
    return torch.stack([step * slope for slope in alibi_slopes(n_heads)])
