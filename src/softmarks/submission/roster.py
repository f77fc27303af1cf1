"""The students of a class, as `roster.csv` lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from softmarks.errors import UsageError
from softmarks.submission.names import quoted
from softmarks.submission.tables import Row, Table, read_table

MOST_BYTES = 2**21
LONGEST = 1_000  # characters of a cell
UNIQUE = ("student_id", "lms_id", "email")
COLUMNS = "Columns: student_id, then any of name, email, lms_id, section, late_days"


@dataclass(frozen=True)
class Student:
    """One row. ``lms_id`` is the number that the learning platform gave; ``more`` holds the other columns.

    ``number`` is the one that stands in names of files, ``also`` are further ids under which work may be
    handed in, ``line`` is where the row stands.
    """

    student_id: str
    name: str = ""
    email: str = ""
    lms_id: str = ""
    section: str = ""
    late_days: int | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    number: str = ""
    also: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Roster:
    """The students in the order of the file, and the file."""

    students: tuple[Student, ...]
    where: Path


def read_roster(path: Path) -> Roster:
    """The students in a ``roster.csv``: only the column ``student_id`` is needed, in any place.

    Raises UsageError, with the line, for a missing or doubled column, an empty or doubled id, and for days
    that are no number.
    """
    table = read_table(path, MOST_BYTES)
    names = table.names
    if "student_id" not in names:
        raise UsageError("there is no column student_id", where=path, line=1, fix=COLUMNS)
    for name in names:
        if name and names.count(name) > 1:
            raise UsageError(f"there are two columns {quoted(name)}", where=path, line=1, fix="Rename one")
    students = tuple(_student(table, names, row) for row in table.rows)
    for name in UNIQUE:
        _refuse_doubles(path, name, students)
    return Roster(students, path)


def _student(table: Table, names: list[str], row: Row) -> Student:
    cells = {name: cell.strip() for name, cell in zip(names, row.cells, strict=True) if name}
    for name, cell in cells.items():
        if len(cell) > LONGEST:
            what = f"{name} has {len(cell)} characters"
            raise UsageError(what, where=table.where, line=row.line, fix=f"{LONGEST} at most")
    if not cells["student_id"]:
        fix = "Give each student an id, or take the row out"
        raise UsageError("student_id is empty", where=table.where, line=row.line, fix=fix)
    days = cells.pop("late_days", "")
    if days and not re.fullmatch(r"[0-9]{1,3}", days):
        fix = "Write a whole number of days from 0 to 999, or nothing"
        raise UsageError(
            f"late_days is no number of days: {quoted(days)}", where=table.where, line=row.line, fix=fix
        )
    own = ("student_id", "name", "email", "lms_id", "section")
    student_id, name, email, lms_id, section = (cells.pop(column, "") for column in own)
    return Student(
        student_id,
        name,
        email,
        lms_id,
        section,
        late_days=int(days) if days else None,
        more=cells,
        number=lms_id,
        line=row.line,
    )


def _refuse_doubles(path: Path, column: str, students: tuple[Student, ...]) -> None:
    seen: dict[str, Student] = {}
    for student in students:
        value = getattr(student, column)
        first = seen.setdefault(value.casefold(), student)
        if value and first is not student:
            raise UsageError(
                f"{column} {quoted(value)} is in line {first.line} already",
                where=path,
                line=student.line,
                fix="Each student has one of their own",
            )
