"""What was agreed with single students, as `exceptions.csv` lists it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from softmarks.course.faults import near
from softmarks.errors import UsageError
from softmarks.submission.names import quoted
from softmarks.submission.tables import Row, Table, read_table

MOST_BYTES = 2**21
COLUMNS = "Columns: student_id, assignment, one or more of new_due, extra_days, excused, and reason"
YES, NO = {"yes", "true", "1", "x"}, {"no", "false", "0", ""}


@dataclass(frozen=True)
class Exemption:
    """One row: another due date, or so many days more, or excused, and why."""

    student_id: str
    assignment: str
    new_due: datetime | None
    extra_days: int
    excused: bool
    reason: str
    line: int


def read_exceptions(path: Path, assignments: Collection[str]) -> tuple[Exemption, ...]:
    """The rows of an ``exceptions.csv``, its columns in any order.

    Raises UsageError, with the line, for a missing column, an unknown assignment, a date without a time
    zone, days that are no number, and a row that agrees on nothing or on two things at once.
    """
    table = read_table(path, MOST_BYTES)
    names = table.names
    for name in ("student_id", "assignment"):
        if name not in names:
            raise UsageError(f"there is no column {name}", where=path, line=1, fix=COLUMNS)
    return tuple(_exemption(table, names, row, assignments) for row in table.rows)


def _exemption(table: Table, names: list[str], row: Row, assignments: Collection[str]) -> Exemption:
    cells = {name: cell.strip() for name, cell in zip(names, row.cells, strict=True)}
    student, assignment = cells["student_id"], cells["assignment"]
    due, days, excused = (cells.get(name, "") for name in ("new_due", "extra_days", "excused"))
    fault, fix = "", ""
    said = {"new_due": bool(due), "extra_days": False, "excused": excused.lower() not in NO}
    said["extra_days"] = days.strip("0") != "" or (days != "" and not any(said.values()))
    given = [name for name in said if said[name]]
    if not student:
        fault, fix = "student_id is empty", "Say whom it is for, or take the row out"
    elif assignment not in assignments:
        fault, fix = f"there is no assignment {quoted(assignment)}", near(assignment, assignments)
    elif excused.lower() not in YES | NO:
        fault, fix = f"excused is neither yes nor no: {quoted(excused)}", "Write yes, or nothing"
    elif not re.fullmatch(r"[0-9]{0,3}", days):
        fault, fix = f"extra_days is no number of days: {quoted(days)}", "Write a whole number, 999 at most"
    elif len(given) != 1:
        fault = f"{' and '.join(given)} at once" if given else "nothing is agreed on"
        fix = "Fill in one of new_due, extra_days and excused"
    elif due and zoned(due) is None:
        fault = f"new_due is no date with a time zone: {quoted(due)}"
        fix = "Write it as 2027-03-19T18:00:00+01:00"
    if fault:
        raise UsageError(fault, where=table.where, line=row.line, fix=fix)
    reason = cells.get("reason", "")
    return Exemption(student, assignment, zoned(due), int(days or 0), said["excused"], reason, row.line)


def zoned(text: str) -> datetime | None:
    """A moment as ISO 8601 writes it; None for what is none, or has no time zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
