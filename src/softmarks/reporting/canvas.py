"""A gradebook that Canvas imports, and the names under which it takes feedback back.

Columns and rows are those of Canvas's own export and import: `gradebook_exporter.rb` and
`gradebook_importer.rb` of its public source, and "How do I import grades in the Gradebook?" of its guides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath

from softmarks.errors import UsageError
from softmarks.reporting.exports import (
    Column,
    Export,
    as_id,
    as_name,
    brought_together,
    joined,
    of_the_roster,
    read_template,
    refuse_other_points,
    shown,
)
from softmarks.reporting.sheets import as_csv, safe_cell
from softmarks.reporting.wording import in_points
from softmarks.submission.names import CANVAS, listing
from softmarks.submission.roster import Roster, Student
from softmarks.submission.tables import Row, Table
from softmarks.verdict import Verdict

HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NAMES = ("Student", "LastName", "FirstName")
POINTS = "    Points Possible"
NUMBERED = re.compile(r"(?P<name>.+) \(\d+\)")
LEFT_ALONE = ("EX", "N/A")  # excused, not assigned to this student
EXPORT = "Export the gradebook in Canvas (Grades, Export) and give that file with --template"


def gradebook(verdicts: Sequence[Verdict], columns: Sequence[Column], roster: Roster | None) -> Export:
    """A new gradebook: ``Points Possible`` and a row a student, whose ``ID`` is the roster's ``lms_id``.

    Assignments have no number of Canvas's yet, so Canvas asks whether they are new. Raises UsageError
    without a roster, and for a student without ``lms_id``.
    """
    if roster is None:
        raise UsageError("Canvas needs its own ids of the students", fix=f"{EXPORT}, or give --roster")
    students, found, notes = of_the_roster(verdicts, roster, columns)
    whose = {student.student_id: verdict for student, verdict in found.pairs}
    rows = [
        [*HEADER, *(column.name for column in columns)],
        [POINTS, *[""] * (len(HEADER) - 1), *(in_points(column.max_points) for column in columns)],
    ]
    for student in students:
        if not student.lms_id:
            fix = f"Fill it in. Or: {EXPORT}"
            raise UsageError("lms_id is empty", where=roster.where, line=student.line, fix=fix)
        sis = (student.more.get("sis_user_id", student.student_id), student.more.get("sis_login_id", ""))
        rows.append(
            [
                as_name(student.name or student.student_id),
                as_id(student.lms_id, "lms_id", student, roster.where),
                *(as_id(text, "the id", student, roster.where) for text in sis),
                as_name(student.section),
                *(column.cell(whose.get(student.student_id)) for column in columns),
            ]
        )
    return Export(as_csv(rows), found.pairs, tuple(notes), bool(found.unknown or found.ambiguous))


def filled_gradebook(
    verdicts: Sequence[Verdict], columns: Sequence[Column], roster: Roster | None, template: Path
) -> Export:
    """A gradebook that Canvas exported, with our assignments' cells filled in and everything else kept.

    A cell without a mark of ours stays as it is, and so does that of a student who is excused. Raises
    UsageError for another file, or when no column is called like an assignment of ours.
    """
    table = read_template(template)
    places = _places(table, columns)
    rows_of_students = [student for row in table.rows if (student := _student(table, row))]
    students = joined(rows_of_students, roster, ("lms_id", "student_id", "email"))
    found, notes = brought_together(verdicts, students, columns, "the gradebook")
    notes += [f"no column: {one.name}" for one in columns if one not in places.values()]
    whose = {student.line: (student, verdict) for student, verdict in found.pairs}
    rows = [table.header]
    for row in table.rows:
        cells = list(row.cells)
        for place, column in places.items():
            if POINTS.strip() in row.cells[0]:
                refuse_other_points(column, cells[place], template, row.line, table.header[place])
            elif row.line in whose:
                student, verdict = whose[row.line]
                mark = column.cell(verdict)
                if mark and cells[place].strip().upper() in LEFT_ALONE:
                    notes.append(f"left alone: {shown(student)}, {column.name}: {cells[place].strip()}")
                elif mark:
                    cells[place] = mark
        for place, name in enumerate(table.header):
            if name in NAMES and POINTS.strip() not in cells[place]:
                cells[place] = safe_cell(cells[place])
        rows.append(tuple(cells))
    text = as_csv(rows, table.separator)
    return Export(text, found.pairs, tuple(notes), bool(found.unknown or found.ambiguous))


def feedback_name(_student: Student, verdict: Verdict) -> str | None:
    """The name under which Canvas knows a student's file: that of its bulk download, up to the numbers."""
    found = CANVAS.match(PurePath(verdict.origin).name)
    return f"{found[0]}feedback.html" if found else None


def _student(table: Table, row: Row) -> Student | None:
    """The student of a row; None for a row about the assignments."""
    cells = {name: cell.strip() for name, cell in zip(table.header, row.cells, strict=True)}
    number, login = cells["ID"], cells.get("SIS Login ID", "")
    if not number:
        return None
    return Student(
        student_id=cells.get("SIS User ID") or login,
        name=cells.get("Student") or f"{cells.get('FirstName', '')} {cells.get('LastName', '')}",
        email=login if "@" in login else "",
        lms_id=number,
        number=number,
        also=(login,),
        line=row.line,
    )


def _places(table: Table, columns: Sequence[Column]) -> dict[int, Column]:
    """Where in the table which assignment stands."""
    if not {"ID", "Section"} < set(table.header) or not {"Student", "LastName"} & set(table.header):
        raise UsageError("this is no gradebook of Canvas", where=table.where, line=1, fix=EXPORT)
    places: dict[int, Column] = {}
    for place, head in enumerate(table.header):
        numbered = NUMBERED.fullmatch(head)
        for column in columns:
            if numbered and _plain(numbered["name"]) in (_plain(column.name), _plain(column.title)):
                if column in places.values():
                    what = f"two columns are called like {column.name}"
                    fix = "Rename one of the assignments in Canvas, and export again"
                    raise UsageError(what, where=table.where, line=1, fix=fix)
                places[place] = column
    if not places:
        raise UsageError(
            f"no assignment in it is called {listing(column.name for column in columns)}",
            where=table.where,
            line=1,
            fix=f"Call it {columns[0].name} or {columns[0].title} in Canvas, and export again",
        )
    return places


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())
