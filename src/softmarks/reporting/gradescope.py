"""Marks in the layout in which Gradescope exports those of a course, for what reads such files.

Gradescope's help ("Exporting grades") describes the file in words alone; the columns are those that its
exports have, and that public readers of them ask for: names, ``SID``, ``Email``, ``Sections``, then four
columns an assignment. When something was handed in is not known here: times and lateness are empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from softmarks.reporting.exports import (
    Column,
    Export,
    as_id,
    as_name,
    of_the_roster,
)
from softmarks.reporting.sheets import as_csv
from softmarks.reporting.wording import in_points
from softmarks.submission.roster import Roster, Student
from softmarks.verdict import Verdict

HEADER = ("First Name", "Last Name", "SID", "Email", "Sections")
OF_AN_ASSIGNMENT = ("{}", "{} - Max Points", "{} - Submission Time", "{} - Lateness (H:M:S)")
SUFFIX = re.compile(r"(jr|sr|i{1,3}|iv|ph\.? ?d|m\.? ?d)\.?", re.IGNORECASE)  # after a comma, no first name


def course_grades(verdicts: Sequence[Verdict], columns: Sequence[Column], roster: Roster | None) -> Export:
    """A row a student; ``SID`` is the roster's ``student_id``. No mark is an empty cell."""
    students, found, notes = of_the_roster(verdicts, roster, columns)
    where = roster.where if roster else None
    whose = {student.student_id: verdict for student, verdict in found.pairs}
    rows = [[*HEADER, *(head.format(column.name) for column in columns for head in OF_AN_ASSIGNMENT)]]
    for student in students:
        first, last = _names(student)
        cells = [
            as_name(first),
            as_name(last),
            as_id(student.student_id, "student_id", student, where),
            as_id(student.email, "email", student, where),
            as_name(student.section),
        ]
        for column in columns:
            mark = column.cell(whose.get(student.student_id))
            cells += [mark, in_points(column.max_points), "", ""]
        rows.append(cells)
    return Export(as_csv(rows), found.pairs, tuple(notes), bool(found.unknown or found.ambiguous))


def _names(student: Student) -> tuple[str, str]:
    """First and last name: the roster's own columns, else by a comma, else the last word is the last name."""
    own = student.more.get("first_name", ""), student.more.get("last_name", "")
    if any(own):
        return own
    name = " ".join((student.name or student.student_id).split())
    head, comma, tail = name.partition(",")
    if comma and not SUFFIX.fullmatch(tail.strip()):
        return tail.strip(), head.strip()
    first, _, last = head.rpartition(" ")
    return first, f"{last}{comma}{tail}"
