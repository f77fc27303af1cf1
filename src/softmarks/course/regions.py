"""The regions of a solution file that a student writes: the lines between two markers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"

_MARKER = re.compile(rf"^[ \t]*({BEGIN}|{END})\b[ \t]*(.*)$")
_LINE = re.compile(rf"^[ \t]*(?:{BEGIN}|{END})\b.*\n?", re.M)


def markers(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """The markers of regions: line number from 0, BEGIN or END, and the author's text."""
    for number, line in enumerate(lines):
        marker = _MARKER.match(line)
        if marker:
            yield number, marker[1], marker[2].strip()


def inside(lines: Sequence[str]) -> set[int]:
    """The lines, counted from 0, between the markers of a region."""
    found: set[int] = set()
    begun = 0
    for number, kind, _ in markers(lines):
        if kind == BEGIN:
            begun = number
        else:
            found.update(range(begun + 1, number))
    return found


def without_markers(text: str) -> str:
    """A solution file as a submission."""
    return _LINE.sub("", text)
