"""What `from softmarks import mark` calls."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from softmarks.course.course import Exercise, load_course
from softmarks.course.finding import find_course
from softmarks.errors import GraderError
from softmarks.grading.classroom import marked
from softmarks.grading.kept_worker import KeptWorker
from softmarks.grading.unmarked import unreadable
from softmarks.submission.collecting import read_file
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict


def mark(exercise: str, source: str | Path, course: str | None) -> ExerciseVerdict:
    """See `softmarks.mark`."""
    root = find_course(name=course)
    wanted = load_course(root).exercise(exercise)
    program = _source(source, wanted)
    if program.unreadable:
        return unreadable(wanted, program)
    with _worker(root).use() as worker:
        verdict = marked(worker, program)
    if verdict.status == "grader-error":
        raise GraderError(verdict.note)
    return verdict


def _source(source: str | Path, exercise: Exercise) -> Source:
    if isinstance(source, Path):
        return read_file(source, exercise)
    return Source(exercise.name, source, "", (), cells=(source,))


@cache
def _worker(root: Path) -> KeptWorker:
    """The process that grades a course, as long as this one lives."""
    return KeptWorker(root, "proved")
