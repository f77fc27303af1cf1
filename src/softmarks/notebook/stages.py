"""The few cells that carry an exercise's points in a notebook: does it work, is it right, is it robust?"""

from __future__ import annotations

from collections.abc import Mapping

from softmarks.course.course import Kind

STAGE_WORDS = {"works": "does it work", "is-right": "is it right", "is-robust": "is it robust"}
STAGES = tuple(STAGE_WORDS)
ANSWERS = "answers"  # the one stage of a question sheet


def stage(kind: str, kinds: Mapping[str, Kind]) -> str:
    """The stage of a kind of checks: how far it is, over what it needs, from kinds that need nothing."""
    return STAGES[min(_depth(kind, kinds), len(STAGES) - 1)]


def _depth(kind: str, kinds: Mapping[str, Kind]) -> int:
    return max((1 + _depth(one, kinds) for one in kinds[kind].needs), default=0)
