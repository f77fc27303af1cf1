"""What a failed check's conversation is reduced to, so that two programs are compared by a look-up.

A signature keeps the form of all that was said (kinds, shapes, exact values, errors) as a digest, and the
real numbers as a few weighted sums. Equal behaviour gives equal signatures within rounding; the numbers
themselves cannot be got back from it, so it may be given to students. Of a check that passed nothing is kept.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from typing import Any

from pydantic import BaseModel, ConfigDict

from softmarks.grading.student import Asked, Conversation
from softmarks.sandbox.values import torch_module
from softmarks.verdict import Outcome

SUMS = 6  # weighted sums that stand for all numbers of a conversation
TOLERANCE = 3e-3  # of such a sum, relative to the size of the numbers: rounding adds up in it
COARSE = 2e-2  # the same for numbers that may have been rounded on the way
HALF_TOLERANCE = 1e-2  # of a mean of numbers in half precision
LAW_TOLERANCE = 0.06  # of what is known of random numbers
LEAST_FINITE = 1 / 3  # an answer with fewer finite numbers could be anybody's

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER = re.compile(r"\d+")
_DECIMAL = re.compile(r"\d+(\.\d+)?")


class Signature(BaseModel):
    """The end of one case and what was said in it. Empty, but for the outcome, when it passed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    outcome: Outcome
    form: str = ""
    loose: str = ""  # the form with less of an error's words
    numbers: tuple[float, ...] = ()  # of what is the same in every run
    halves: tuple[float, ...] = ()  # of what is in half precision, and so is rounded in a way of its own
    drawn: tuple[float, ...] = ()  # of what a call with a random seed gave
    laws: tuple[float, ...] = ()  # how that is distributed
    telling: bool = True  # whether it can name a mistake: what is mostly NaN is the same for many
    raised: bool = False  # whether it ended with an error of the program

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @property
    def speaks(self) -> bool:
        """Whether it holds more than an error or NaN, in which many programs are equal."""
        return self.telling and not self.raised

    def same(self, other: Signature) -> bool:
        """Whether two programs behaved the same, and failed for the same reason."""
        return (
            self.outcome is other.outcome
            and self.form == other.form
            and _close(self.numbers, other.numbers)
            and _close(self.halves, other.halves, HALF_TOLERANCE)
            and _close(self.drawn, other.drawn)
        )

    def resembles(self, other: Signature) -> bool:
        """The same but for rounding, the words of an error about sizes, and how random numbers are drawn."""
        return (
            self.outcome is other.outcome
            and self.loose == other.loose
            and _close(self.numbers, other.numbers, COARSE)
            and _close(self.halves, other.halves, HALF_TOLERANCE)
            and _close(self.laws, other.laws, LAW_TOLERANCE)
        )


PASSED = Signature(outcome=Outcome.PASSED)


def signature(said: Conversation) -> Signature:
    """The signature of a conversation."""
    if said.outcome is Outcome.PASSED:
        return PASSED
    form, fixed, drawn = _Reader(), _Reader(), _Reader()
    form.read(said.facts)
    fixed.numbers += form.numbers
    loose = [_DECIMAL.sub("#", word) if word[:1] in "'\"" else word for word in form.words]
    laws: list[float] = []
    halves: list[float] = []
    for exchange in said.exchanges:
        reader = _Reader()
        reader.read(exchange.reply, exactly=exchange.laws is None)
        form.words += reader.words
        loose += reader.words
        (fixed if exchange.laws is None else drawn).numbers.extend(reader.numbers)
        laws += exchange.laws or ()
        halves += reader.halves
        form.finite = min(form.finite, reader.finite)
        if exchange.raised:
            kind, message = exchange.raised
            sizes = sorted(map(int, _NUMBER.findall(message)[:20]))
            words = _NUMBER.sub("#", _QUOTED.sub("", message))
            form.words.append(f"raised {kind} {words} {sizes}")
            loose.append(f"raised {kind} {sorted(set(sizes)) if len(sizes) > 1 else words}")
    return Signature(
        outcome=said.outcome,
        form=_digest(form.words),
        loose=_digest(loose),
        numbers=_sums(fixed.numbers),
        halves=_sums(halves, 1 / math.sqrt(len(halves) or 1)),
        drawn=_sums(drawn.numbers),
        laws=tuple(round(law, 4) for law in laws),
        telling=form.finite >= LEAST_FINITE,
        raised=bool(said.exchanges and said.exchanges[-1].raised),
    )


class _Reader:
    """Takes values apart: words for what must be equal, numbers for what must be close."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.numbers: list[float] = []
        self.halves: list[float] = []  # numbers of half precision
        self.finite = 1.0  # the share of finite numbers in the tensor that has the fewest

    def read(self, value: Any, *, exactly: bool = True) -> None:
        """One value. Where numbers are random (not ``exactly``), which of them are finite says nothing."""
        torch = torch_module()
        if torch is not None and isinstance(value, torch.Tensor):
            self._tensor(torch, value.detach(), exactly)
        elif isinstance(value, Asked):
            self.words.append("object")
        elif isinstance(value, float):
            self._real(value)
        elif isinstance(value, dict):
            for key in sorted(value, key=str):
                self.words.append(f"{key}:")
                self.read(value[key], exactly=exactly)
        elif isinstance(value, (list, tuple)):
            self.words.append(f"{len(value)} of")
            for item in value:
                self.read(item, exactly=exactly)
        else:
            self.words.append(repr(value))

    def _real(self, value: float) -> None:
        if math.isfinite(value):
            self.words.append("number")
            self.numbers.append(value)
        else:
            self.words.append(str(value))

    def _tensor(self, torch: Any, value: Any, exactly: bool) -> None:
        whole = value.is_floating_point() and value.element_size() > 2
        if whole and not value.dim() and value.device.type == "cpu" and exactly:
            self._real(float(value))  # one number is one, in a tensor or not
            return
        kind = "float" if whole else value.dtype  # where 32 or 64 bits matter, the check says so
        self.words.append(f"{kind} {value.device.type} {tuple(value.shape)}")
        if value.device.type == "meta" or not value.numel():
            return
        if value.is_complex():
            value = torch.view_as_real(value)
        if not value.is_floating_point():
            if exactly:
                self.words.append(str(value.flatten().tolist()))
            return
        flat = value.double().flatten()
        finite = flat.isfinite()
        self.finite = min(self.finite, float(finite.double().mean()))
        if exactly and not bool(finite.all()):
            odd = [(place, str(flat[place].item())) for place in (~finite).nonzero().flatten().tolist()]
            self.words.append(str(odd))
        plain = torch.where(finite, flat, 0.0).tolist()
        if value.element_size() > 2:
            self.numbers += plain
        elif exactly:  # what is drawn in half precision is told by its laws
            self.halves += plain


def _close(one: tuple[float, ...], other: tuple[float, ...], tolerance: float = TOLERANCE) -> bool:
    if len(one) != len(other):
        return False
    scale = 1 + max((abs(values[-1]) for values in (one, other) if values), default=0.0)
    return all(abs(a - b) <= tolerance * scale for a, b in zip(one, other, strict=True))


def _sums(numbers: list[float], weight: float = 1.0) -> tuple[float, ...]:
    """Weighted sums of ``numbers``, and last the root of their mean square."""
    if not numbers:
        return ()
    sums = [weight * sum(map(float.__mul__, signs, numbers)) for signs in _signs(len(numbers))]
    size = math.sqrt(sum(number * number for number in numbers) / len(numbers))
    return tuple(float(f"{value:.6g}") for value in (*sums, size))


_SOURCES = [random.Random(seed) for seed in range(SUMS)]
_SIGNS: list[list[float]] = [[] for _ in _SOURCES]


def _signs(count: int) -> list[list[float]]:
    """Fixed signs, at least ``count`` of them for each sum."""
    for source, signs in zip(_SOURCES, _SIGNS, strict=True):
        while len(signs) < count:
            signs += [1.0 if bit == "1" else -1.0 for bit in f"{source.getrandbits(4096):04096b}"]
    return _SIGNS


def _digest(words: list[str]) -> str:
    return hashlib.blake2b("\0".join(words).encode(), digest_size=8).hexdigest()
