"""How random numbers are distributed, whatever order they were drawn in: two programs may draw otherwise."""

from __future__ import annotations

from typing import Any

from softmarks.sandbox.values import torch_module

ENOUGH = 1000  # numbers of a tensor, for a share of them to be known well


def laws(value: Any) -> tuple[float, ...]:
    """What is known of random numbers as such.

    Of each tensor: the share of zeros, of rows, columns and items that are all zero, and the mean size of the
    other numbers; none of a small one.
    """
    torch = torch_module()
    if torch is not None and isinstance(value, torch.Tensor):
        return _laws_of(value.detach()) if value.device.type != "meta" and value.is_floating_point() else ()
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(inner, (list, tuple)) or isinstance(value, dict):
        return tuple(law for item in inner for law in laws(item))
    return ()


def _laws_of(value: Any) -> tuple[float, ...]:
    if value.numel() < ENOUGH:
        return ()
    zero = value == 0
    shares = [zero]
    if value.dim() > 1:
        shares += [zero.all(dim=-1), zero.all(dim=-2)]
    if value.dim() > 2:
        shares.append(zero.flatten(1).all(dim=1))
    rest = value[~zero & value.isfinite()].double().abs()
    size = float(rest.mean()) if rest.numel() else 0.0
    return (*(float(share.double().mean()) for share in shares), size)
