# Equivariance with the order put back: P^-1 f(Px) against f(x); the same differences at other places.
import torch


def equivariance_error(module, x, permutation):
    back = torch.argsort(permutation)
    restored = module(torch.index_select(x, 1, permutation)).index_select(1, back)
    return (module(x) - restored).detach().abs().amax().item()


def invariance_error(module, x, permutation):
    index = permutation[None, :, None].expand_as(x)
    return torch.max(torch.abs(module(x) - module(x.gather(1, index)))).item()


def predictions():
    words = ["equivariant", "neither", "invariant", "neither"]
    return dict(zip(["plain", "causal", "pooled", "positioned"], words, strict=True))
