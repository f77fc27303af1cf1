"""nbgrader's gradebook, through its own API: due dates, extensions, and the marks of `softmarks grade`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.apps import NbGraderAPI
from sqlalchemy.exc import SQLAlchemyError
from tornado.log import app_log
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from softmarks.course.course import Course
from softmarks.course.text import read_text, write_text
from softmarks.errors import UsageError
from softmarks.grading.judging import Override
from softmarks.notebook.folder import CONFIG
from softmarks.notebook.marks import cell_verdicts, written_marks
from softmarks.submission.exceptions import Exemption
from softmarks.verdict import ExerciseVerdict, Verdict


@contextmanager
def gradebook_of(folder: Path) -> Iterator[Gradebook]:
    """The gradebook that a course folder's configuration names. Raises UsageError when it cannot be used."""
    config = _config(folder)
    # nbgrader calls alembic by its name, which lies beside this Python whether or not it is on the path
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    app_log.disabled = True  # nbgrader writes a traceback there before it raises
    try:
        with NbGraderAPI(config=config).gradebook as gradebook:
            yield gradebook
    except (SQLAlchemyError, InvalidEntry, ModuleNotFoundError) as error:  # the last one is a driver
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise UsageError(
            f"the gradebook cannot be used: {reason}",
            where=folder,
            fix="Close what else uses it, see that it can be written, and run this again",
        ) from error
    finally:
        app_log.disabled = False


def _config(folder: Path) -> Config:
    """What ``nbgrader_config.py`` in a course folder says."""
    if not (folder / CONFIG).is_file():
        fix = "Name the folder that softmarks nbgrader build wrote"
        raise UsageError(f"there is no {CONFIG} here", where=folder, fix=fix)
    try:
        config: Config = PyFileConfigLoader(CONFIG, path=str(folder.resolve())).load_config()
    except (Exception, SystemExit) as error:  # whatever a person's Python raises
        what = f"it cannot be loaded: {type(error).__name__}: {error}"
        raise UsageError(what, where=folder / CONFIG, fix="Repair it") from error
    if "root" not in config.CourseDirectory:
        config.CourseDirectory.root = str(folder.resolve())
    return config


def set_due_dates(gradebook: Gradebook, course: Course, record: Path) -> list[str]:
    """Create the assignments of ``course`` with their due dates; a date that a person set is kept, and said.

    ``record`` is where the dates that were set here are remembered.
    """
    kept = []
    ours = _recorded_dates(record)
    for part in course.assignments:
        due = part.due and part.due.astimezone(UTC).replace(tzinfo=None)
        there = gradebook.update_or_create_assignment(part.name).duedate
        if due is None or there == due:
            continue
        if there is None or there.isoformat() == ours.get(part.name):
            gradebook.update_or_create_assignment(part.name, duedate=due)
            ours[part.name] = due.isoformat()
        else:
            kept.append(f"{part.name} is due {_day(there)} in the gradebook; course.yml says {_day(due)}")
    write_text(record, json.dumps(ours, indent=2, sort_keys=True) + "\n")
    return kept


def _recorded_dates(record: Path) -> dict[str, str]:
    """The date that was set here last, by assignment."""
    if not record.is_file():
        return {}
    try:
        dates = json.loads(read_text(record))
    except json.JSONDecodeError:
        dates = None
    if not isinstance(dates, dict) or not all(isinstance(date, str) for date in dates.values()):
        fix = "Delete it: dates that are in the gradebook are kept"
        raise UsageError("the record of due dates cannot be read", where=record, fix=fix)
    return dates


@dataclass
class Imported:
    """What an import did: marks by student that changed, students that were new, work that has none."""

    students: int = 0
    changed: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)


def import_verdicts(
    gradebook: Gradebook, course: Course, verdicts: Sequence[Verdict], given: Sequence[Override] = ()
) -> Imported:
    """Write the marks of ``verdicts`` as nbgrader's autograde step would. Marks by hand are not touched.

    ``given`` are the marks of persons that the verdicts have already: one for a check has a cell, one for a
    whole exercise has none and is told.
    Raises UsageError, before anything is written, when an assignment has not been generated or was generated
    with other points.
    """
    found = Imported()
    handed = [  # an exercise that is missing counts where something else of its assignment was handed in
        (verdict.student, exercise)
        for verdict in verdicts
        for exercise in verdict.exercises
        if any(one.assignment == exercise.assignment and one.status != "missing" for one in verdict.exercises)
    ]
    checks: dict[tuple[str, str], set[str]] = {}
    for one in given:
        checks.setdefault((one.student, one.exercise), set()).add(one.check)
    plans = []
    for student, exercise in handed:
        judged = checks.get((student, exercise.exercise), set())
        plans.append((student, exercise, _plan(gradebook, course, exercise, judged)))
        if "" in judged and exercise.points is not None:
            told = (
                f"a person gave {exercise.points:.2f} for the whole, which no cell can hold: enter it there"
            )
            found.unmarked.append(f"{student}, {exercise.exercise}: {told}")
    known = {student.id for student in gradebook.students}
    for student, exercise, marks in plans:
        if student not in known:
            gradebook.add_student(student)
            known.add(student)
            found.new.append(student)
        gradebook.update_or_create_submission(exercise.assignment, student)
        if exercise.status in ("ungradable", "grader-error"):
            found.unmarked.append(f"{student}, {exercise.exercise}: {exercise.note}")
        if exercise.status == "grader-error":
            continue
        before = gradebook.find_submission_notebook(exercise.exercise, exercise.assignment, student).score
        for cell, points in marks.items():
            grade = gradebook.find_grade(cell, exercise.exercise, exercise.assignment, student)
            if exercise.status == "missing" and grade.auto_score is not None:
                continue  # it was handed in otherwise
            grade.auto_score = None if points is None else float(points)
            # a mark by hand goes on counting, and nbgrader asks a person to look at it again
            grade.needs_manual_grade = points is None or grade.manual_score is not None
        gradebook.db.commit()
        after = gradebook.find_submission_notebook(exercise.exercise, exercise.assignment, student).score
        if f"{before:.2f}" != f"{after:.2f}":
            found.changed.append(f"{student}, {exercise.exercise}: {before:.2f} -> {after:.2f}")
    found.students = len({student for student, _, _ in plans})
    return found


def _plan(
    gradebook: Gradebook, course: Course, exercise: ExerciseVerdict, judged: Collection[str]
) -> dict[str, Decimal | None]:
    """The marks of an exercise's cells; None for one that waits for a person."""
    fix = f"Run softmarks nbgrader build, then nbgrader generate_assignment {exercise.assignment} --force"
    try:
        notebook = gradebook.find_notebook(exercise.exercise, exercise.assignment)
    except MissingEntry:
        raise UsageError(f"the gradebook does not know {exercise.exercise} yet", fix=fix) from None
    most = {cell.name: Decimal(str(cell.max_score)) for cell in notebook.grade_cells}
    by_person = {cell.name for cell in notebook.solution_cells if cell.name in most}
    checks = sorted(name for name in most if name not in by_person)
    parts = cell_verdicts(exercise, checks, course.kinds, {name.partition("-")[2] for name in by_person})
    if exercise.status == "missing":
        return dict.fromkeys(most, Decimal(0))
    for name, part in parts.items():
        if part.points is not None and part.max_points != most[name]:
            what = (
                f"{name} is worth {most[name]} points in the gradebook and {part.max_points} in these results"
            )
            raise UsageError(what, fix=f"Grade again with the same course.yml. {fix}")
    return {name: part.points for name, part in parts.items()} | written_marks(exercise, by_person, judged)


def grant_extensions(gradebook: Gradebook, rows: Sequence[Exemption]) -> list[str]:
    """Grant each row's extension, in place of an earlier one; what was not granted, and why.

    An extension of no days takes an earlier one away.
    """
    left = []
    for row in rows:
        try:
            due = gradebook.find_assignment(row.assignment).duedate
            gradebook.find_student(row.student_id)
        except MissingEntry as error:
            left.append(f"{row.student_id}, {row.assignment}: {str(error).lower()} in the gradebook")
            continue
        more = timedelta(days=row.extra_days)
        if row.new_due is not None and due is not None:
            more = row.new_due.astimezone(UTC).replace(tzinfo=None) - due
        why = ""
        if row.excused:
            why = "nbgrader knows no excuses: leave the mark out by hand"
        elif due is None:
            why = "there is no due date"
        elif more < timedelta(0):
            why = f"this is before the due date, {_day(due)}"
        if why:
            left.append(f"{row.student_id}, {row.assignment}: {why}")
            continue
        gradebook.update_or_create_submission(row.assignment, row.student_id)
        gradebook.grant_extension(row.assignment, row.student_id, minutes=more.total_seconds() / 60)
    return left


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
