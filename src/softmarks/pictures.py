"""What a picture shows: panels of numbers with their titles, drawn elsewhere in the medium at hand.

A course's ``show.py`` defines ``show(student)``, which asks the student's program for values, as a
suite does, and returns panels. It is called with the student's program and with the reference, so that
one function draws what is and what is meant. A `Drawn` is a panel with both, as plain data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

Numbers = list[float | None]  # None where a value is not finite


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

    def differs(self, row: int, column: int) -> bool:
        """Whether an entry of the student's is not the one that is meant, as far as an eye could tell."""
        if self.meant is None or self.meant.problem:
            return False
        try:
            own, meant = self.own.rows[row][column], self.meant.rows[row][column]
        except IndexError:
            return True
        if own is None or meant is None:
            return own is not meant
        return abs(own - meant) > 1e-3 + 1e-3 * abs(meant)

    @property
    def wrong(self) -> int:
        """How many of the student's entries differ from what is meant."""
        return sum(self.differs(r, c) for r, row in enumerate(self.own.rows) for c in range(len(row)))
