"""Which hint comes next: one more each time, and first the one that fits the mistake that was last seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from softmarks.course.formulas import flat
from softmarks.verdict import ExerciseVerdict


def hints_so_far(hints: Mapping[str, str], given: Sequence[str], told: str) -> list[str]:
    """The names of the hints that were given, and one more where one is left, the last.

    ``told`` is the hint that a message gave for the last mistake, "" when there was none.
    """
    left = [name for name in hints if name not in given]
    words = told.split()
    left.sort(key=lambda name: not words or flat(hints[name]).split() != words)
    return [*(name for name in given if name in hints), *left[:1]]


def told_hint(verdict: ExerciseVerdict) -> str:
    """The hint that a verdict gives for the first mistake that it names."""
    return next((message.hint for message in verdict.messages if message.mistake), "")
