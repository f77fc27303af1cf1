"""Check one's own files: the public suite first, the rest once that passes and where it is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.grading.classroom import without_marks
from softmarks.grading.workers import Worker
from softmarks.submission.collecting import read_file
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict, Outcome

SUFFIXES = (".py", ".ipynb")


def check_own(course: Course, root: Path, here: Path, names: Sequence[str]) -> list[ExerciseVerdict]:
    """Verdicts on the named exercises, or on all that have a file. Raises UsageError when there is none."""
    chosen = [course.exercise(name) for name in names] or list(course.exercises)
    found = [(exercise, _own_file(exercise, root, here)) for exercise in chosen]
    if names:
        for exercise, path in found:
            if path is None:
                places = f"{root / 'exercises' / exercise.assignment} or {here}"
                raise UsageError(
                    f"there is no {exercise.name}.py to check", where=places, fix="Write your answer there"
                )
    own = [(exercise, path) for exercise, path in found if path is not None]
    if not own:
        raise UsageError(
            "no exercise was found here",
            where=here,
            fix="Go to the folder of your answers; `softmarks` lists the exercises",
        )
    with Worker(root, "optional") as worker:
        return [_check(worker, root, course, read_file(path, exercise), exercise) for exercise, path in own]


def untouched(verdict: ExerciseVerdict) -> bool:
    """Whether nothing of an exercise has been written: its checks found a stub, all of them."""
    silent = (Outcome.MISSING, Outcome.NOT_REACHED)
    return bool(verdict.checks) and all(check.outcome in silent for check in verdict.checks)


def _own_file(exercise: Exercise, root: Path, here: Path) -> Path | None:
    folders = [here, here / exercise.assignment]
    folders += [folder / "exercises" / exercise.assignment for folder in (here, root)]
    paths = [folder / f"{exercise.name}{suffix}" for folder in folders for suffix in SUFFIXES]
    return next((path for path in paths if path.is_file()), None)


def _check(worker: Worker, root: Path, course: Course, source: Source, exercise: Exercise) -> ExerciseVerdict:
    if source.unreadable:
        return without_marks(exercise, "ungradable", None, source.unreadable, source.repairs)
    place = room(course, root, exercise.name)
    verdict = worker.mark(exercise.name, source.cells, "public")
    passed = all(check.outcome is Outcome.PASSED for check in verdict.checks)
    if verdict.status == "graded" and passed and place.hidden.is_file():
        verdict = worker.mark(exercise.name, source.cells, "hidden")
    return verdict.model_copy(update={"repairs": source.repairs})
