"""What waits for a person: in a terminal, and as a sheet to be filled in and read back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from softmarks.course.sheets import FreeQuestion
from softmarks.errors import UsageError
from softmarks.grading.judging import Open, Override
from softmarks.reporting.pen import Pen
from softmarks.reporting.sheets import as_csv, safe_cell
from softmarks.reporting.wording import in_points
from softmarks.submission.tables import Row, read_table

NEEDED = ("student", "exercise", "check", "points", "reason")
COLUMNS = (*NEEDED[:3], "max_points", "question", "looks_for", "text", *NEEDED[3:])
MOST_BYTES = 2**25


def print_open(console: Console, one: Open, question: FreeQuestion | None, where: str) -> None:
    """Print whose it is, what was asked and written, and what to look for."""
    pen = Pen(console)
    pen.skip()
    pen.show(
        pen.write(f"{one.student}  {one.exercise}{f': {one.check}' if one.check else ''}  ({where})", "bold")
    )
    if question:
        pen.show(pen.write(question.ask, "dim"), indent=2)
    pen.skip()
    pen.show(pen.write(one.text or "(nothing is known of it)"), indent=2)
    pen.skip()
    for line in question.rubric if question else ():
        pen.show(pen.write(f"looks for: {line}", "dim"), indent=2)


def as_sheet(found: Sequence[tuple[Open, FreeQuestion | None]]) -> str:
    """A row for each; ``points`` and ``reason`` are to be filled in."""
    rows: list[Sequence[str]] = [COLUMNS]
    for one, question in found:
        asked, rubric = (question.ask, "\n".join(question.rubric)) if question else ("", "")
        about = (one.student, one.exercise, one.check, in_points(one.max_points), asked, rubric, one.text)
        rows.append([*map(safe_cell, about), "", ""])
    return as_csv(rows)


def read_sheet(path: Path, students: Collection[str], by: str, at: datetime) -> list[Override]:
    """The marks in a sheet for ``students``; rows without points are left open.

    A name stands in a sheet so that no spreadsheet takes it for a formula. Raises UsageError with the line
    of a fault.
    """
    table = read_table(path, MOST_BYTES)
    if missing := [name for name in NEEDED if name not in table.header]:
        what = f"there is no column {missing[0]}"
        raise UsageError(what, where=path, line=1, fix="Fill in the sheet that --csv wrote")
    rows = [(row, dict(zip(table.header, row.cells, strict=True))) for row in table.rows]
    whose = {safe_cell(student): student for student in students}
    return [
        _override(path, row, whose.get(cells["student"], cells["student"]), cells, by, at)
        for row, cells in rows
        if cells["points"].strip()
    ]


def _override(path: Path, row: Row, student: str, cells: dict[str, str], by: str, at: datetime) -> Override:
    try:
        return Override(
            student=student,
            exercise=cells["exercise"],
            check=cells["check"],
            points=cells["points"].strip().replace(",", "."),  # type: ignore[arg-type]
            reason=cells["reason"].strip() or "read by a person",
            by=by,
            at=at,
        )
    except ValidationError as error:
        what = error.errors()[0]
        name = what["loc"][0] if what["loc"] else "it"
        raise UsageError(
            f"{name}: {what['msg'].lower()}", where=path, line=row.line, fix="Write points such as 3 or 2.5"
        ) from None
