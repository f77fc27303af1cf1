"""Pictures in a page: a table of numbers as coloured cells, anything else as an image where that can be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from softmarks.errors import UsageError
from softmarks.pictures import Drawn, Lines, written
from softmarks.reporting.plots import MOST_WRITTEN, in_words, png
from softmarks.reporting.ramp import colours

SHADES = tuple(colours(step / 20) for step in range(21))


@dataclass(frozen=True)
class Cell:
    """A number as it is written, the place of its colour in `SHADES`, and whether it is wrong."""

    text: str
    shade: int | None
    wrong: bool


@dataclass(frozen=True)
class Side:
    """The student's numbers, or those that are meant: rows with their labels; or why there are none."""

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[tuple[str, Sequence[Cell]]] = ()
    problem: str = ""


@dataclass(frozen=True)
class Panel:
    """A panel for a page: sides of coloured cells, or an image with what it shows in words."""

    title: str
    axes: str
    differs: str
    sides: Sequence[Side] = ()
    image: bytes = b""
    seen: str = ""


def in_a_page(exercise: str, drawn: Sequence[Drawn]) -> list[Panel]:
    """The panels that a page can show. An image needs matplotlib."""
    found = []
    for one in drawn:
        title = one.title or exercise
        if _fits(one):
            found.append(Panel(title, one.axes, one.differing, sides=_sides(one)))
        else:
            with suppress(UsageError):  # matplotlib is not installed
                image, seen = png(exercise, [one]), in_words(exercise, [one])
                found.append(Panel(title, "", one.differing, image=image, seen=seen))
    return found


def _fits(panel: Drawn) -> bool:
    """Whether it is a table whose numbers can all be read, or nothing but a reason why there is none."""
    if panel.own.problem and panel.meant is None:
        return True
    small = all(sum(map(len, side.rows)) <= MOST_WRITTEN for side in panel.sides)
    return panel.kind == "heatmap" and small


def _sides(panel: Drawn) -> list[Side]:
    if panel.meant is None or not (panel.wrong or panel.own.problem):
        return [_side(panel, panel.own, "")]
    return [_side(panel, panel.own, "yours"), _side(panel, panel.meant, "meant")]


def _side(panel: Drawn, lines: Lines, title: str) -> Side:
    if lines.problem:
        return Side(title, problem=lines.problem)
    columns = max(map(len, lines.rows), default=0)
    heads = panel.column_labels if len(panel.column_labels) == columns else ()
    names = panel.row_labels if len(panel.row_labels) == len(lines.rows) else [""] * len(lines.rows)
    rows = [
        (
            name,
            [
                _cell(panel, value, wrong=lines is panel.own and panel.differs(r, c))
                for c, value in enumerate(row)
            ],
        )
        for r, (name, row) in enumerate(zip(names, lines.rows, strict=True))
    ]
    return Side(title, heads, rows)


def _cell(panel: Drawn, value: float | None, *, wrong: bool) -> Cell:
    shade = None if value is None else round(min(max(panel.share(value), 0), 1) * (len(SHADES) - 1))
    return Cell(written(value, panel.decimals), shade, wrong)
