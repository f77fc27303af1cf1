"""When work was handed in, by a record that no student writes: a learning platform's, or the exchange's.

A platform's table is known by its columns:

- our own: ``student_id``, ``assignment``, ``handed_in``;
- Moodle's grading worksheet, with ``Last modified (submission)``;
- Gradescope's grades of an assignment, with ``Submission Time``;
- GitHub Classroom's grades, with ``submission_timestamp``, which is the time of the push.

All but the first are of one assignment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from softmarks.course.course import Course
from softmarks.errors import UsageError
from softmarks.submission.collecting import Submission
from softmarks.submission.exceptions import zoned
from softmarks.submission.matching import matched
from softmarks.submission.names import quoted
from softmarks.submission.roster import Student
from softmarks.submission.tables import read_table
from softmarks.verdict import Clock, HandedIn

MOST_BYTES = 2**25
MOODLE = "Last modified (submission)"
# column of the time -> columns of: student id, name, email
PLATFORMS = {
    MOODLE: ("ID number", "Full name", "Email address"),
    "Submission Time": ("SID", "Name", "Email"),
    "submission_timestamp": ("roster_identifier", "github_username", ""),
}
FORMATS = (
    "%A, %d %B %Y, %I:%M %p",  # Moodle in English
    "%A, %B %d, %Y, %I:%M %p",  # Moodle in American English
    "%Y-%m-%d %H:%M:%S %z",  # Gradescope
    "%Y-%m-%d %H:%M:%S %Z",  # GitHub Classroom
    "%Y-%m-%d %H:%M:%S.%f %Z",  # nbgrader's timestamp.txt
)
STAMP = "timestamp.txt"
LONGEST = 200  # bytes of a timestamp.txt
OURS = ("student_id", "assignment", "handed_in")


@dataclass(frozen=True)
class Record:
    """A student as a record calls them, an assignment, and when it was handed in."""

    student: Student
    assignment: str
    at: datetime


def read_times(path: Path, assignments: Sequence[str], zone: tzinfo | None) -> list[Record]:
    """The records of a platform's table; rows without a time are passed over.

    ``assignments`` are those that are graded: a platform's table is of the only one. ``zone`` is that of
    times without one, which Moodle writes. Raises UsageError for a table of another kind, and with the line
    for a time that cannot be read.
    """
    table = read_table(path, MOST_BYTES)
    column = next((name for name in (*PLATFORMS, OURS[2]) if name in table.header), None)
    if column is None:
        fix = f"Columns: {', '.join(OURS)}; or a table of Moodle, Gradescope or GitHub Classroom"
        raise UsageError("there is no column with times", where=path, line=1, fix=fix)
    if column in PLATFORMS and len(assignments) != 1:
        raise UsageError(
            "this table is of one assignment, and several are graded",
            where=path, fix=f"Say which one: --only {assignments[0]}",
        )  # fmt: skip
    names = PLATFORMS.get(column, ("student_id", "", ""))
    records = []
    for row in table.rows:
        cells = {name: cell.strip() for name, cell in zip(table.header, row.cells, strict=True)}
        if cells[column] in ("", "-"):
            continue
        at = moment(cells[column], zone)
        if at is None:
            fix = "Write it as 2027-03-19T18:00:00+01:00" if zone else "Give it a time zone"
            raise UsageError(f"this is no time: {quoted(cells[column])}", where=path, line=row.line, fix=fix)
        assignment = cells.get("assignment", "") if column == OURS[2] else assignments[0]
        if column == OURS[2] and assignment not in assignments:
            if not assignment:
                raise UsageError("assignment is empty", where=path, line=row.line, fix="Fill it in")
            continue
        student_id, name, email = (cells.get(each, "") for each in names)
        name = name or f"{cells.get('First Name', '')} {cells.get('Last Name', '')}".strip()
        number = re.sub(r"^Participant ", "", cells.get("Identifier", ""))
        student = Student(student_id, name, email, number=number, line=row.line)
        records.append(Record(student, assignment, at))
    return records


def exchange_times(paths: Sequence[Path], assignments: Collection[str]) -> Iterator[Record]:
    """What nbgrader noted beside the work that it collected, in the folders of an nbgrader course."""
    for path in paths:
        if not (path.absolute().parent / "nbgrader_config.py").is_file():
            continue
        for stamp in sorted(path.glob(f"*/*/{STAMP}")):
            assignment = stamp.parent.name
            with suppress(OSError, UnicodeError), stamp.open("rb") as file:
                at = moment(file.read(LONGEST).decode().strip(), UTC)
                if at and assignment in assignments:
                    yield Record(Student(stamp.parents[1].name), assignment, at)


def timed(
    submissions: Sequence[Submission],
    tables: Sequence[Sequence[Record]],
    exchange: Sequence[Record],
    course: Course,
    *,
    trust: bool,
) -> list[Submission]:
    """The submissions with when each assignment was handed in, by the best record that there is.

    A platform's word counts first, the last table's before all, then the exchange's. What students' own
    files say counts only with ``trust``: a manifest before the times of files.
    """
    found = {one.student: _claimed(one, course) if trust else {} for one in submissions}
    records: list[tuple[Clock, Sequence[Record]]] = [("exchange", exchange)]
    records += [("lms", lines) for lines in tables]
    for clock, lines in records:
        for assignment in dict.fromkeys(line.assignment for line in lines):
            last = {_called(line.student): line for line in lines if line.assignment == assignment}
            for student, work in matched(submissions, [line.student for line in last.values()]).pairs:
                at = last[_called(student)].at
                found[work.student][assignment] = HandedIn(at=at, clock=clock)
    return [replace(one, handed_in=found[one.student]) for one in submissions]


def unplaced(submissions: Sequence[Submission], tables: Sequence[Sequence[Record]]) -> list[str]:
    """Whom a platform's table has, and whose work is not known to be here: called as the table calls them."""
    names: dict[str, None] = {}
    for lines in tables:
        students = {_called(line.student): line.student for line in lines}
        for student in matched(submissions, [*students.values()]).without_work:
            names[next(filter(None, _called(student)), "somebody without a name")] = None
    return [*names]


def _called(student: Student) -> tuple[str, ...]:
    return student.student_id, student.name, student.email, student.number


def _claimed(submission: Submission, course: Course) -> dict[str, HandedIn]:
    """When a submission was made, by what it says of itself."""
    found: dict[str, HandedIn] = {}
    for exercise in course.exercises:
        source = submission.sources.get(exercise.name)
        if source is None or not source.modified:
            continue
        at = datetime.fromtimestamp(source.modified, UTC)
        before = found.get(exercise.assignment)
        if before is None or before.at < at:
            found[exercise.assignment] = HandedIn(at=at, clock="file")
    manifest = submission.manifest
    if manifest and manifest.packed_at.tzinfo:
        said = HandedIn(at=manifest.packed_at, clock="manifest")
        found |= {name: said for name in found if name in manifest.assignments}
    return found


def moment(text: str, zone: tzinfo | None) -> datetime | None:
    """A moment in any of the ways in which records write it; None for what is none, or has no time zone."""
    if found := zoned(text):
        return found
    for form in ("", *FORMATS):
        with suppress(ValueError):
            found = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
            known = UTC if re.search(r" (UTC|GMT)$", text) else zone
            found = found if found.tzinfo else found.replace(tzinfo=known)
            return found if found.tzinfo else None
    return None
