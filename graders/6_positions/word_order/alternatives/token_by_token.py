# Loops over sequences, tokens and features; Python's own max; a float comes back.
import torch


def reordered(x, permutation):
    return torch.stack([x[:, int(token)] for token in permutation], dim=1)


def largest(first, second):
    pairs = zip(first.flatten().tolist(), second.flatten().tolist(), strict=True)
    return max(abs(a - b) for a, b in pairs)


def equivariance_error(module, x, permutation):
    with torch.no_grad():
        return largest(module(reordered(x, permutation)), reordered(module(x), permutation))


def invariance_error(module, x, permutation):
    with torch.no_grad():
        return largest(module(reordered(x, permutation)), module(x))


def predictions():
    answers = dict.fromkeys(("causal", "positioned"), "neither")
    answers["plain"] = "equivariant"
    answers["pooled"] = "invariant"
    return answers
