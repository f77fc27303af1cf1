# The permutation as a matrix of zeros and ones, in the dtype of x; a norm that is the largest entry.
import torch


def shuffled(x, permutation):
    identity = torch.eye(len(permutation), dtype=x.dtype, device=x.device)
    return identity[permutation] @ x


def equivariance_error(module, x, permutation):
    y = module(x)
    left, right = module(shuffled(x, permutation)), shuffled(y, permutation)
    return torch.linalg.vector_norm(left - right, ord=float("inf"))


def invariance_error(module, x, permutation):
    return torch.linalg.vector_norm(module(shuffled(x, permutation)) - module(x), ord=float("inf"))


def predictions():
    return {"plain": "equivariant", "causal": "neither", "pooled": "invariant", "positioned": "neither"}
