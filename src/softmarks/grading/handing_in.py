"""Look over what is about to be handed in, and pack it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from softmarks import __version__
from softmarks.course.course import Course, Exercise
from softmarks.errors import UsageError
from softmarks.grading.own_work import own_files
from softmarks.grading.workers import Worker
from softmarks.submission.collecting import read_file
from softmarks.submission.handing_in import Manifest, packed
from softmarks.verdict import Outcome


@dataclass(frozen=True)
class Part:
    """One exercise as it is handed in: its file, and how that stands in the public checks."""

    exercise: Exercise
    path: Path | None  # None: there is no file
    state: str  # "passed", "failing", "not begun", "unreadable" or "missing"
    says: str = ""


def looked_over(course: Course, root: Path, here: Path, *, whole: bool) -> list[Part]:
    """Each exercise of ``course`` with its file; those without one are left out unless ``whole``.

    Raises UsageError when there is nothing to hand in.
    """
    files = own_files(course.exercises, root, here)
    if not any(path for _, path in files):
        raise UsageError(
            "there is nothing to hand in here",
            where=here,
            fix="Go to your working copy: softmarks start makes one",
        )
    with Worker(root, "optional") as worker:
        return [_part(worker, exercise, path) for exercise, path in files if path or whole]


def _part(worker: Worker, exercise: Exercise, path: Path | None) -> Part:
    if path is None:
        return Part(exercise, None, "missing", "no file: it is not in the zip")
    source = read_file(path, exercise)
    if source.unreadable:
        return Part(exercise, path, "unreadable", source.unreadable)
    verdict = worker.mark(exercise.name, source.cells, "public")
    number = len(verdict.checks)
    if verdict.untouched:
        return Part(exercise, path, "not begun")
    failed = sum(check.outcome not in (Outcome.PASSED, Outcome.NEEDS_A_PERSON) for check in verdict.checks)
    if failed:
        return Part(exercise, path, "failing", f"{failed} of {number} public checks do not pass")
    return Part(exercise, path, "passed", f"public checks passed: {number}")


def pack(course: Course, parts: Sequence[Part], student_id: str, name: str) -> bytes:
    """The zip of these parts: each file at ``ASSIGNMENT/EXERCISE``, whatever it is called here."""
    files = {
        f"{part.exercise.assignment}/{part.exercise.name}{part.path.suffix}": part.path.read_bytes()
        for part in parts
        if part.path is not None
    }
    manifest = Manifest(
        course=course.id,
        course_version=course.version,
        engine_version=__version__,
        assignments=tuple(dict.fromkeys(part.exercise.assignment for part in parts)),
        student_id=student_id,
        student_name=name,
        packed_at=datetime.now(UTC).replace(microsecond=0),
        files={},
    )
    return packed(files, manifest)
