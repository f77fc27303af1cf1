"""Grades that Moodle imports: a table for its gradebook, and the grading worksheet of one assignment.

The worksheet's columns, and the names of feedback files, are those that Moodle itself reads:
`importgradeslib.php` and `importziplib.php` in `mod/assign/feedback` of its public source, and "Assignment
settings" (offline grading worksheet) and "Grade import" of its documentation.
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
from softmarks.reporting.files import safe_stem
from softmarks.reporting.sheets import as_csv, safe_cell
from softmarks.reporting.tally import by_exercise
from softmarks.reporting.wording import mark_words
from softmarks.submission.names import MOODLE, listing
from softmarks.submission.roster import Roster, Student
from softmarks.submission.tables import Row, Table
from softmarks.verdict import Verdict

IDENTIFIER, GRADE, MODIFIED = "Identifier", "Grade", "Last modified (grade)"
COMMENTS, CHANGEABLE = "Feedback comments", "Grade can be changed"
MAXIMA = {"Maximum grade", "Maximum Grade"}
WRITTEN = {"Full name", "Online text"}  # by students
NO_GRADE = "-"
WORKSHEET = "Download the grading worksheet of the assignment, with Moodle in English, and give that file"


def grades(verdicts: Sequence[Verdict], columns: Sequence[Column], roster: Roster | None) -> Export:
    """A table for Moodle's gradebook: ids, a column an assignment, and what makes up the marks in words.

    No mark is Moodle's own sign for that, ``-``: where a column becomes a new grade item, Moodle makes a zero
    of an empty cell. A column that tells students apart is there only if every student has something in it:
    Moodle gives a row without an id to the student of the row before.
    """
    students, found, notes = of_the_roster(verdicts, roster, columns)
    where = roster.where if roster else None
    whose = {student.student_id: verdict for student, verdict in found.pairs}
    ids = {
        "Identifier": [student.lms_id for student in students],
        "ID number": [student.student_id for student in students],
        "Email address": [student.email for student in students],
    }
    complete = [name for name, cells in ids.items() if all(cells)]
    if roster is not None:
        notes += [f"no column {name}: not every student has one" for name in ids if name not in complete]
    rows = [[*complete, "Full name", *(column.name for column in columns), COMMENTS]]
    for row, student in enumerate(students):
        verdict = whose.get(student.student_id)
        rows.append(
            [
                *(as_id(ids[name][row], name, student, where) for name in complete),
                as_name(student.name or student.student_id),
                *(column.cell(verdict) or NO_GRADE for column in columns),
                _comments(verdict, columns) if verdict else "",
            ]
        )
    return Export(as_csv(rows), found.pairs, tuple(notes), bool(found.unknown or found.ambiguous))


def filled_worksheet(
    verdicts: Sequence[Verdict], columns: Sequence[Column], roster: Roster | None, template: Path
) -> Export:
    """A grading worksheet with grades and comments filled in, and everything else kept.

    A grade that has no mark of ours, and a comment that a person wrote, stay as they are. Raises UsageError
    for another file, and unless exactly one assignment is exported.
    """
    table = read_template(template)
    if not {IDENTIFIER, GRADE, MODIFIED} <= set(table.header):
        raise UsageError("this is no grading worksheet of Moodle", where=template, line=1, fix=WORKSHEET)
    if len(columns) > 1:
        names = listing(column.name for column in columns)
        raise UsageError(
            f"a grading worksheet is of one assignment, these results are of {names}",
            where=template,
            fix="Name it with --assignment",
        )
    (column,) = columns
    students = joined([_student(table, row) for row in table.rows], roster, ("student_id", "email"))
    found, notes = brought_together(verdicts, students, columns, "the worksheet")
    whose = {student.line: (student, verdict) for student, verdict in found.pairs}
    place = {name: position for position, name in enumerate(table.header)}
    rows = [table.header]
    for row in table.rows:
        cells = list(row.cells)
        for name in place.keys() & MAXIMA:
            refuse_other_points(column, cells[place[name]], template, row.line, "the assignment")
        if row.line in whose:
            student, verdict = whose[row.line]
            mark = column.cell(verdict)
            if mark and CHANGEABLE in place and cells[place[CHANGEABLE]] == "No":
                notes.append(f"left alone: {shown(student)}: Moodle lets nobody change the grade")
            elif mark:
                cells[place[GRADE]] = mark
                if COMMENTS in place and not cells[place[COMMENTS]]:
                    cells[place[COMMENTS]] = _comments(verdict, columns)
        for name in place.keys() & WRITTEN:
            cells[place[name]] = safe_cell(cells[place[name]])
        rows.append(tuple(cells))
    return Export(as_csv(rows), found.pairs, tuple(notes), bool(found.unknown or found.ambiguous))


def feedback_name(student: Student, verdict: Verdict) -> str | None:
    """Where in a zip Moodle looks for a student's feedback: a folder that holds the participant's number.

    The number is that of the worksheet, else that of the folder in Moodle's bulk download.
    """
    found = MOODLE.match(PurePath(verdict.origin).name)
    number = student.more.get(IDENTIFIER) or (found["id"] if found else "")
    name = safe_stem(student.name or student.student_id).replace("_", " ").strip()
    return f"{name}_{number}_assignsubmission_file_/feedback.html" if number else None


def _student(table: Table, row: Row) -> Student:
    cells = {name: cell.strip() for name, cell in zip(table.header, row.cells, strict=True)}
    number = re.sub(r"\D+", "", cells[IDENTIFIER])  # of the participant in this assignment, not of the user
    return Student(
        student_id=cells.get("ID number", ""),
        name=cells.get("Full name", cells[IDENTIFIER]),
        email=cells.get("Email address", ""),
        number=number,
        more={IDENTIFIER: number},
        also=(cells.get("Username", ""),),
        line=row.line,
    )


def _comments(verdict: Verdict, columns: Sequence[Column]) -> str:
    """The mark of each exercise in words."""
    found = by_exercise(verdict)
    names = [name for column in columns for name in column.exercises if name in found]
    return "; ".join(f"{name}: {mark_words(found[name])}" for name in names)
