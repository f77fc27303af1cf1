"""Whether two conversations are equal: as many answers, the same within 1e-3, and the same end."""

from __future__ import annotations

import math
from typing import Any

from softmarks.grading.student import Asked, Conversation
from softmarks.sandbox.values import torch_module

TOLERANCE = 1e-3
LEAST_FINITE = 1 / 3  # an answer with fewer finite numbers could be anybody's


def telling(said: Conversation) -> bool:
    """Whether a conversation can name a mistake: one that is mostly NaN is the same for many."""
    return all(_finite(exchange.reply) >= LEAST_FINITE for exchange in said.exchanges)


def _finite(value: Any) -> float:
    """The share of finite numbers in the tensor of ``value`` that has the fewest."""
    torch = torch_module()
    if torch is not None and isinstance(value, torch.Tensor):
        if value.device.type == "meta" or not value.numel():
            return 1.0
        return float(value.isfinite().double().mean())
    inner = value.values() if isinstance(value, dict) else value
    return min(map(_finite, inner), default=1.0) if isinstance(value, (dict, list, tuple)) else 1.0


def alike(one: Conversation, other: Conversation) -> bool:
    """Whether two programs behaved the same in a check, and failed it for the same reason."""
    if one.outcome is not other.outcome or len(one.exchanges) != len(other.exchanges):
        return False
    if not _same(one.facts, other.facts):
        return False
    return all(
        mine.raised == theirs.raised and _same(mine.reply, theirs.reply)
        for mine, theirs in zip(one.exchanges, other.exchanges, strict=True)
    )


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Asked) or isinstance(other, Asked):
        return isinstance(one, Asked) and isinstance(other, Asked)
    torch = torch_module()
    if torch is not None and (isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor)):
        return _same_tensors(torch, one, other)
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        if one == other:
            return True
        try:
            one, other = float(one), float(other)
        except OverflowError:
            return False
        return (math.isnan(one) and math.isnan(other)) or math.isclose(
            one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _same_tensors(torch: Any, one: Any, other: Any) -> bool:
    if not (isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)):
        return False
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    if one.device.type == "meta":
        return True
    mine, theirs = one.detach(), other.detach()
    if not mine.is_floating_point():
        return bool(torch.equal(mine, theirs))
    return bool(
        torch.allclose(mine.double(), theirs.double(), rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    )
