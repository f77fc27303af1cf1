"""Check one's own files: the public suite first, the rest once that passes and where it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.grading.classroom import without_marks
from softmarks.grading.diary import Diary
from softmarks.grading.workers import Worker
from softmarks.pictures import Drawn
from softmarks.submission.collecting import read_file
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict, Outcome

SUFFIXES = (".py", ".ipynb")


@dataclass(frozen=True)
class Own:
    """One's own answer to an exercise, and the verdict on it."""

    path: Path
    verdict: ExerciseVerdict

    @property
    def untouched(self) -> bool:
        """Whether nothing of it has been written: its checks found a stub, all of them."""
        silent = (Outcome.MISSING, Outcome.NOT_REACHED)
        checks = self.verdict.checks
        return bool(checks) and all(check.outcome in silent for check in checks)

    @property
    def diary(self) -> Diary:
        """What is remembered of earlier checks, in the folder that holds all of one's work."""
        folder = self.path.parent
        return Diary(folder.parent if folder.name == self.verdict.assignment else folder)


def check_own(course: Course, root: Path, here: Path, names: Sequence[str]) -> list[Own]:
    """Verdicts on the named exercises, or on all that have a file. Raises UsageError when there is none."""
    if names:
        own = [(exercise, _required(exercise, root, here)) for exercise in map(course.exercise, names)]
    else:
        found = [(exercise, _own_file(exercise, root, here)) for exercise in course.exercises]
        own = [(exercise, path) for exercise, path in found if path is not None]
    if not own:
        raise UsageError(
            "no exercise was found here",
            where=here,
            fix="Go to the folder of your answers; `softmarks` lists the exercises",
        )
    with Worker(root, "optional") as worker:
        return [
            Own(path, _check(worker, root, course, read_file(path, exercise), exercise))
            for exercise, path in own
        ]


def show_own(course: Course, root: Path, here: Path, name: str) -> list[Drawn]:
    """The pictures of one's own answer. Raises UsageError when there is none, or when it cannot be read."""
    exercise = course.exercise(name)
    path = _required(exercise, root, here)
    source = read_file(path, exercise)
    if source.unreadable:
        raise UsageError(source.unreadable, where=path, fix="Repair it, then show it again")
    with Worker(root, "optional") as worker:
        return worker.show(name, source.cells)


def _required(exercise: Exercise, root: Path, here: Path) -> Path:
    path = _own_file(exercise, root, here)
    if path is None:
        places = f"{root / 'exercises' / exercise.assignment} or {here}"
        raise UsageError(
            f"there is no {exercise.name}.py to check", where=places, fix="Write your answer there"
        )
    return path


def _own_file(exercise: Exercise, root: Path, here: Path) -> Path | None:
    folders = [here, here / exercise.assignment]
    folders += [folder / "exercises" / exercise.assignment for folder in (here, root)]
    paths = [folder / f"{exercise.name}{suffix}" for folder in folders for suffix in SUFFIXES]
    return next((path for path in paths if path.is_file()), None)


def _check(worker: Worker, root: Path, course: Course, source: Source, exercise: Exercise) -> ExerciseVerdict:
    if source.unreadable:
        return without_marks(exercise, "ungradable", None, source.unreadable, source.repairs)
    place = room(course, root, exercise.name)
    if place.sheet.is_file():  # its public checks are blind: they would only keep the explanations back
        verdict = worker.mark(exercise.name, source.cells, "hidden")
        return verdict.model_copy(update={"repairs": source.repairs})
    verdict = worker.mark(exercise.name, source.cells, "public")
    passed = all(check.outcome is Outcome.PASSED for check in verdict.checks)
    if verdict.status == "graded" and passed and place.hidden.is_file():
        verdict = worker.mark(exercise.name, source.cells, "hidden")
    return verdict.model_copy(update={"repairs": source.repairs})
