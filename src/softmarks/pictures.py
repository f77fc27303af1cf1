"""What a picture shows: panels of numbers with their titles, drawn elsewhere in the medium at hand.

A course's ``show.py`` defines ``show(student)``, which asks the student's program for values, as a
suite does, and returns panels. It is called with the student's program and with the reference, so that
one function draws what is and what is meant. A `Drawn` is a panel with both, as plain data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

Numbers = list[float | None]  # None where a value is not finite
FEWEST_DECIMALS, MOST_DECIMALS = 2, 6


@dataclass(frozen=True)
class Heatmap:
    """A table of numbers as coloured cells: ``values`` is a (rows, columns) tensor of numbers or bools."""

    title: str
    values: Any
    row_axis: str = ""  # what a row is, such as "query"
    column_axis: str = ""
    rows: Sequence[str] = ()  # one label a row, or none at all
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class Curves:
    """Lines over a common axis: ``values`` maps a line's name to a (points,) tensor; ``x`` may be empty."""

    title: str
    values: Mapping[str, Any]
    x: Sequence[float] = ()
    x_axis: str = ""
    y_axis: str = ""
    logarithmic: bool = False  # the y axis


class Lines(BaseModel):
    """The numbers of a panel: rows of a table, or lines by name. ``problem`` says why there are none."""

    model_config = ConfigDict(frozen=True)

    names: tuple[str, ...] = ()  # of curves
    rows: tuple[Numbers, ...] = ()
    problem: str = ""


class Drawn(BaseModel):
    """A panel as plain data: what the student's program gave, and what is meant where that is known."""

    model_config = ConfigDict(frozen=True)

    kind: str  # heatmap or curves
    title: str
    x_axis: str = ""
    y_axis: str = ""
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    x: tuple[float, ...] = ()
    logarithmic: bool = False
    own: Lines
    meant: Lines | None = None

    @property
    def axes(self) -> str:
        """What the axes are, in words: ``query by key``, ``steps by tokens``."""
        return " by ".join(axis for axis in (self.y_axis, self.x_axis) if axis)

    @property
    def sides(self) -> tuple[Lines, ...]:
        """The student's numbers, and those that are meant where they are known."""
        return (self.own,) if self.meant is None else (self.own, self.meant)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The least and the greatest number of both sides, which share a scale; zeros where there is none."""
        seen = [value for side in self.sides for row in side.rows for value in row if value is not None]
        return min(seen, default=0.0), max(seen, default=0.0)

    def share(self, value: float) -> float:
        """Where a number lies in the span, from 0 to 1; by its logarithm where the panel asks for that."""
        low, high = self.span
        if self.logarithmic and low > 0:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return (value - low) / (high - low) if high > low else 0.0

    @cached_property
    def decimals(self) -> int:
        """How many decimals tell each wrong number from the one that is meant: two, or more if these fail."""
        if self.meant is None:
            return FEWEST_DECIMALS
        wrong = [
            (mine, right)
            for own, meant in zip(self.own.rows, self.meant.rows, strict=False)
            for mine, right in zip(own, meant, strict=False)
            if _differ(mine, right)
        ]
        for decimals in range(FEWEST_DECIMALS, MOST_DECIMALS):
            if all(written(mine, decimals) != written(right, decimals) for mine, right in wrong):
                return decimals
        return MOST_DECIMALS

    def differs(self, row: int, column: int) -> bool:
        """Whether an entry of the student's is not the one that is meant, as far as an eye could tell."""
        if self.meant is None or self.meant.problem:
            return False
        try:
            return _differ(self.own.rows[row][column], self.meant.rows[row][column])
        except IndexError:
            return True

    @property
    def wrong(self) -> int:
        """How many of the student's entries differ from what is meant."""
        return sum(self.differs(r, c) for r, row in enumerate(self.own.rows) for c in range(len(row)))

    @property
    def differing(self) -> str:
        """How many of them, in words; nothing where there is none."""
        if not self.wrong:
            return ""
        return "1 value differs" if self.wrong == 1 else f"{self.wrong} values differ"


def written(value: float | None, decimals: int) -> str:
    """A number with so many decimals; a large one with two less, a huge one as a power of ten."""
    if value is None:
        return "nan"
    if abs(value) < 99.5:
        return f"{value:z.{decimals}f}"  # z: no negative zero
    return f"{value:.{decimals - 2}{'f' if abs(value) < 1e5 else 'e'}}"


def _differ(own: float | None, meant: float | None) -> bool:
    if own is None or meant is None:
        return own is not meant
    return abs(own - meant) > 1e-3 + 1e-3 * abs(meant)
