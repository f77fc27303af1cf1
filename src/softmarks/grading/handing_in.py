"""Look over what is about to be handed in, and pack it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from softmarks import __version__
from softmarks.course.course import Course, Exercise
from softmarks.errors import UsageError
from softmarks.grading.own_work import check_source, own_files
from softmarks.grading.workers import Worker
from softmarks.submission.collecting import read_file
from softmarks.submission.handing_in import Manifest, packed
from softmarks.verdict import ExerciseVerdict


@dataclass(frozen=True)
class Part:
    """One exercise as it is handed in: its file, where there is one, and how that fares."""

    exercise: Exercise
    path: Path | None
    verdict: ExerciseVerdict | None


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
    parts = []
    with Worker(root, "optional") as worker:
        for exercise, path in files:
            if path is not None:
                source = read_file(path, exercise)
                verdict = check_source(worker, root, course, source, exercise)
                parts.append(Part(exercise, path, verdict))
            elif whole:
                parts.append(Part(exercise, None, None))
    return parts


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
