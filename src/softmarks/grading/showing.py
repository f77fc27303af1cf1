"""Make an exercise's pictures: its show.py asks a program for values, and gets them as plain numbers."""

from __future__ import annotations

import math
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from softmarks.errors import CourseError, GraderError
from softmarks.grading.checks import ending
from softmarks.grading.program import Program
from softmarks.grading.student import Asked
from softmarks.pictures import Curves, Drawn, Heatmap, Lines
from softmarks.verdict import Outcome

Panels = Sequence[Heatmap | Curves]
MOST = 4096  # numbers a line or a table: more cannot be seen anyway


def panels(path: Path, program: Program) -> Panels | str:
    """What ``show`` in the file at ``path`` returns for a program; words when it does not get so far.

    Closes the program. Raises CourseError when the fault is the file's own.
    """
    show = _show(path)
    try:
        session, names = program.check()
        with session.current():
            found: Panels = show(names)
    except GraderError:
        raise  # of what is given, or of the machine
    except Exception as error:
        end = ending(error)
        if end.outcome is Outcome.GRADER_ERROR:
            raise CourseError(end.says, where=path, fix="Repair show.py") from error
        return f"{end.says} (your line {end.line})" if end.line else end.says
    finally:
        program.close()
    return found


def drawn(own: Panels | str, meant: Panels | None) -> list[Drawn]:
    """Panels as plain data, the student's beside those that are meant where these are known."""
    if not isinstance(own, str) and meant is not None and len(own) != len(meant):
        own = "your code gave something that this picture cannot show"
    if isinstance(own, str):
        blank = Lines(problem=own)
        if meant is None:
            return [Drawn(kind="heatmap", title="", own=blank)]
        return [_drawn(panel, blank, _lines(panel)) for panel in meant]
    if meant is None:
        return [_drawn(panel, _lines(panel), None) for panel in own]
    return [_drawn(right, _lines(mine), _lines(right)) for mine, right in zip(own, meant, strict=True)]


def _show(path: Path) -> Callable[[Any], Panels]:
    try:
        found = runpy.run_path(str(path)).get("show")
    except Exception as error:
        raise CourseError(f"{type(error).__name__}: {error}", where=path, fix="Repair show.py") from error
    if not callable(found):
        raise CourseError("the file does not define show", where=path, fix="Write def show(student): …")
    return found  # type: ignore[no-any-return]


def _drawn(panel: Heatmap | Curves, own: Lines, meant: Lines | None) -> Drawn:
    if isinstance(panel, Heatmap):
        return Drawn(
            kind="heatmap",
            title=panel.title,
            x_axis=panel.column_axis,
            y_axis=panel.row_axis,
            row_labels=tuple(panel.rows),
            column_labels=tuple(panel.columns),
            own=own,
            meant=meant,
        )
    return Drawn(
        kind="curves",
        title=panel.title,
        x_axis=panel.x_axis,
        y_axis=panel.y_axis,
        x=tuple(panel.x),
        logarithmic=panel.logarithmic,
        own=own,
        meant=meant,
    )


def _lines(panel: Heatmap | Curves) -> Lines:
    if isinstance(panel, Curves) and not all(isinstance(name, str) for name in dict(panel.values)):
        return Lines(problem="your code gave names of curves that are no texts")
    wanted = [panel.values] if isinstance(panel, Heatmap) else list(panel.values.values())
    tables = [_numbers(value, 2 if isinstance(panel, Heatmap) else 1) for value in wanted]
    problem = next((table for table in tables if isinstance(table, str)), "")
    if problem:
        return Lines(problem=problem)
    if isinstance(panel, Heatmap):
        return Lines(rows=tuple(tables[0]))
    return Lines(names=tuple(panel.values), rows=tuple(tables))


def _numbers(value: Any, dimensions: int) -> Any:
    """A tensor or a list as lists of numbers, None where one is not finite; words when it is neither."""
    if hasattr(type(value), "detach"):
        if value.dim() != dimensions or not 0 < value.numel() <= MOST or value.device.type == "meta":
            return f"your code gave a tensor of shape {tuple(value.shape)}, which this picture cannot show"
        value = value.detach().double().tolist()
    rows = value if dimensions == 2 else [value]
    lists = isinstance(rows, list | tuple) and all(isinstance(row, list | tuple) for row in rows)
    lengths = {len(row) for row in rows} if lists else set()
    if len(lengths) != 1 or 0 in lengths:
        return f"your code gave {_kind(value)}, which this picture cannot show"
    try:
        found = [[_number(number) for number in row[:MOST]] for row in rows[:MOST]]
    except (TypeError, ValueError, OverflowError):
        return f"your code gave {_kind(value)}, which this picture cannot show"
    return found if dimensions == 2 else found[0]


def _kind(value: Any) -> str:
    if isinstance(value, Asked):
        return "an object that is neither a tensor nor a list"
    empty = isinstance(value, list | tuple) and not value
    return f"{'an empty ' * empty}{type(value).__name__}"


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
