"""Marks for a learning platform, whichever it is: a column an assignment, a row a student, what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path

from softmarks.course.course import Course
from softmarks.errors import UsageError
from softmarks.reporting.sheets import FORMULA, safe_cell
from softmarks.reporting.tally import by_exercise
from softmarks.reporting.wording import in_points
from softmarks.submission.matching import Matching, ids_of, matched, plain_id
from softmarks.submission.names import listing, printable, quoted
from softmarks.submission.roster import Roster, Student
from softmarks.submission.tables import Table, read_table
from softmarks.verdict import ExerciseVerdict, Verdict

MOST_BYTES = 2**25  # of a file that a platform wrote
LONGEST = 60  # characters of a name in a line for the terminal


@dataclass(frozen=True)
class Column:
    """One assignment: the names of its exercises, and what they are worth together."""

    name: str
    title: str
    exercises: tuple[str, ...]
    max_points: Decimal

    def points(self, verdict: Verdict) -> Decimal | None:
        """The sum of the exercises; None as soon as one of them has no mark."""
        found = by_exercise(verdict)
        points = [found[name].points if name in found else None for name in self.exercises]
        given = [each for each in points if each is not None]
        return sum(given, Decimal("0.00")) if len(given) == len(points) else None

    def cell(self, verdict: Verdict | None) -> str:
        """Points to the cent; empty where there is no mark."""
        points = self.points(verdict) if verdict else None
        return "" if points is None else in_points(points)

    def nothing_in(self, verdict: Verdict) -> bool:
        """Whether all of it is missing."""
        found = by_exercise(verdict)
        return all(found[name].status == "missing" for name in self.exercises if name in found)

    def open_exercises(self, verdict: Verdict) -> list[str]:
        """The exercises without a mark, each with its reason."""
        found = by_exercise(verdict)
        return [
            f"{name} ({_why(found.get(name))})"
            for name in self.exercises
            if name not in found or found[name].points is None
        ]


def _why(exercise: ExerciseVerdict | None) -> str:
    if exercise is None:
        return "not part of this grading"
    return ": ".join(filter(None, [exercise.status, printable(exercise.note)]))


@dataclass(frozen=True)
class Export:
    """A file for a platform. ``notes`` are lines for the person who exports.

    ``handed`` are the students that the file has, each with the work. ``lost`` says that work of somebody
    could not be placed in the file.
    """

    text: str
    handed: tuple[tuple[Student, Verdict], ...]
    notes: tuple[str, ...]
    lost: bool


def columns_of(course: Course, verdicts: Sequence[Verdict]) -> list[Column]:
    """The assignments of ``course`` of which anybody handed in anything.

    Raises UsageError when nobody did, and when the results were graded with other points.
    """
    worth = {exercise.name: exercise.points for part in course.assignments for exercise in part.exercises}
    graded = [
        exercise for verdict in verdicts for exercise in verdict.exercises if exercise.exercise in worth
    ]
    for exercise in graded:
        if exercise.max_points != worth[exercise.exercise]:
            raise UsageError(
                f"{exercise.exercise} is worth {worth[exercise.exercise]} points in the course, and "
                f"{exercise.max_points} in these results",
                fix="Grade again with the same course.yml",
            )
    columns = []
    for part in course.assignments:
        names = tuple(exercise.name for exercise in part.exercises)
        if any(exercise.exercise in names and exercise.status != "missing" for exercise in graded):
            most = sum((worth[name] for name in names), Decimal("0.00"))
            columns.append(Column(part.name, part.title, names, most))
    if not columns:
        wanted = listing(part.name for part in course.assignments)
        raise UsageError(
            f"nobody handed in anything of {wanted}", fix="Name the course and assignment of the results"
        )
    return columns


def of_the_roster(
    verdicts: Sequence[Verdict], roster: Roster | None, columns: Sequence[Column]
) -> tuple[Sequence[Student], Matching[Verdict], list[str]]:
    """The students of a roster, who of them did what, and lines about what is missing.

    Without a roster the students are those who handed in, under the names of their work.
    """
    if roster is not None:
        return roster.students, *brought_together(verdicts, roster.students, columns, "the roster")
    students = [Student(verdict.student, verdict.student) for verdict in verdicts]
    found = Matching(tuple(zip(students, verdicts, strict=True)), (), (), ())
    return students, found, _worth_a_look(found, columns)


def brought_together(
    verdicts: Sequence[Verdict], students: Sequence[Student], columns: Sequence[Column], among: str
) -> tuple[Matching[Verdict], list[str]]:
    """Verdicts and the students of a file, and lines about what is missing. ``among`` says which file."""
    found = matched(verdicts, students)
    notes = _worth_a_look(found, columns)
    notes += [f"no work: {shown(student)}" for student in found.without_work]
    notes += [f"not in {among}: {printable(one.student, LONGEST)}" for one in found.unknown]
    notes += [
        f"not clear whose it is: {printable(one.student, LONGEST)} ({among}, line {_lines(rows)})"
        for one, rows in found.ambiguous
    ]
    return found, notes


def _worth_a_look(found: Matching[Verdict], columns: Sequence[Column]) -> list[str]:
    """Marks that are not there, and zeros for what was not handed in."""
    notes = []
    for student, verdict in found.pairs:
        for column in columns:
            if column.points(verdict) is None:
                open_still = ", ".join(column.open_exercises(verdict))
                notes.append(f"no mark: {shown(student)}, {column.name}: {open_still}")
            elif column.nothing_in(verdict):
                notes.append(f"zero: {shown(student)}, {column.name}: nothing was handed in")
    return notes


def _lines(students: Sequence[Student]) -> str:
    return " or ".join(str(line) for line in sorted(student.line or 0 for student in students))


def shown(student: Student) -> str:
    """A student in a line for the terminal."""
    return printable(student.name or student.student_id, LONGEST)


def joined(students: Sequence[Student], roster: Roster | None, by: Sequence[str]) -> list[Student]:
    """The students of a platform's file, who also answer to what the roster calls them.

    ``by`` names what must be equal in both; one of it is enough. Raises UsageError when that is so for two
    rows of the roster.
    """
    known: dict[tuple[str, str], list[Student]] = {}
    for student in roster.students if roster else ():
        for name in by:
            known.setdefault((name, plain_id(getattr(student, name))), []).append(student)
    return [_joined(student, known, by, roster) for student in students]


def _joined(
    student: Student, known: dict[tuple[str, str], list[Student]], by: Sequence[str], roster: Roster | None
) -> Student:
    keys = [(name, plain_id(getattr(student, name))) for name in by]
    same = {one.student_id: one for key in keys if key[1] for one in known.get(key, ())}
    if roster is None or not same:
        return student
    if len(same) > 1:
        raise UsageError(
            f"line {_lines(list(same.values()))} is of {quoted(shown(student))}: both have an id of theirs",
            where=roster.where,
            fix="Correct the ids in the roster",
        )
    (one,) = same.values()
    return replace(student, name=student.name or one.name, also=(*student.also, *ids_of(one)))


def as_name(name: str) -> str:
    """A person's name as a cell: one line, without direction marks, and no formula."""
    return safe_cell(printable(" ".join(name.split())))


def as_id(text: str, column: str, student: Student, where: Path | None) -> str:
    """An id as a cell, unchanged. Raises UsageError for one that a spreadsheet would take for a formula."""
    if FORMULA.search(text) or not text.isprintable():
        raise UsageError(
            f"{column} {quoted(text)} is no id that a spreadsheet leaves alone",
            where=where,
            line=student.line,
            fix="Correct it" if where else "Give a roster that has ids",
        )
    return text


def read_template(path: Path) -> Table:
    """A file that a platform exported. Raises UsageError when it cannot be read."""
    return read_table(path, MOST_BYTES)


def refuse_other_points(column: Column, cell: str, where: Path, line: int | None, what: str) -> None:
    """Raise UsageError when a platform's file says that an assignment is worth other points than here."""
    try:
        other = Decimal(cell.replace(",", ".")) != column.max_points
    except InvalidOperation:  # no number, or a signalling one
        return
    if other:
        raise UsageError(
            f"{what} is worth {cell} points there, and {column.name} {in_points(column.max_points)} here",
            where=where,
            line=line,
            fix=f"Set it to {in_points(column.max_points)} points there, and export the file again",
        )
