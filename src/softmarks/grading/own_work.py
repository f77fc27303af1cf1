"""Check one's own files: the public suite first, the rest once that passes and where it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.edition import read_edition
from softmarks.course.rooms import Room, room
from softmarks.course.text import read_text
from softmarks.course.working_copy import working_copy
from softmarks.errors import UsageError
from softmarks.grading.diary import Diary
from softmarks.grading.hinting import hints_so_far
from softmarks.grading.unmarked import unreadable
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
    diary: Diary


def check_own(course: Course, root: Path, here: Path, names: Sequence[str]) -> list[Own]:
    """Verdicts on the named exercises and on those of named assignments that have a file; on all, unnamed.

    Raises UsageError when there is none.
    """
    assignments = {part.name for part in course.assignments}
    parts = [name.rstrip("/") for name in names if name.rstrip("/") in assignments]
    single = [course.exercise(name) for name in names if name.rstrip("/") not in assignments]
    own = {exercise.name: (exercise, own_file(exercise, root, here)) for exercise in single}
    if parts or not names:
        found = own_files(course.part(parts).exercises, root, here)
        own |= {one.name: (one, path) for one, path in found if path is not None}
    if not own:
        raise UsageError(
            "no exercise was found here",
            where=here,
            fix="Go to the folder of your answers; `softmarks` lists the exercises",
        )
    with Worker(root, "optional") as worker:
        return [
            Own(
                path,
                check_source(worker, root, course, read_file(path, exercise), exercise),
                diary_of(here, exercise),
            )
            for exercise, path in own.values()
        ]


def check_source(
    worker: Worker, root: Path, course: Course, source: Source, exercise: Exercise
) -> ExerciseVerdict:
    """The verdict on one's own program: of the hidden suite, where it is there and the public one passes."""
    if source.unreadable:
        return unreadable(exercise, source)
    place = room(course, root, exercise.name)
    if place.sheet.is_file():  # its public checks are blind: they would only keep the explanations back
        verdict = worker.mark(exercise.name, source.cells, "hidden")
        return verdict.model_copy(update={"repairs": source.repairs})
    verdict = worker.mark(exercise.name, source.cells, "public")
    passed = all(check.outcome is Outcome.PASSED for check in verdict.checks)
    if verdict.status == "graded" and passed and place.hidden.is_file():
        verdict = worker.mark(exercise.name, source.cells, "hidden")
    edition = read_edition(root)
    held_back = edition.held_back(exercise.name) if edition else ""
    return verdict.model_copy(update={"repairs": source.repairs, "held_back": held_back})


def show_own(course: Course, root: Path, here: Path, name: str) -> list[Drawn]:
    """The pictures of one's own answer. Raises UsageError when there is none, or when it cannot be read."""
    exercise = course.exercise(name)
    path = own_file(exercise, root, here)
    source = read_file(path, exercise)
    if source.unreadable:
        raise UsageError(source.unreadable, where=path, fix="Repair it, then show it again")
    with Worker(root, "optional") as worker:
        return worker.show(name, source.cells)


def own_file(exercise: Exercise, root: Path, here: Path) -> Path:
    """The learner's file for an exercise. Raises UsageError when there is none."""
    ((_, path),) = own_files([exercise], root, here)
    if path is None:
        raise UsageError(
            f"there is no {exercise.name}.py to check",
            where=here,
            fix="Write your answer there, or go to your working copy: softmarks start makes one",
        )
    return path


def own_files(exercises: Sequence[Exercise], root: Path, here: Path) -> list[tuple[Exercise, Path | None]]:
    """The learner's file for each exercise: here, in the working copy around it, or in the edition.

    Of a program and a notebook the one that is begun, else the program. Raises UsageError where that would be
    one of the stubs that a whole course prints: nobody edits those.
    """
    copy = working_copy(here)
    around = [copy.files] if copy else [here / "exercises", root / "exercises"]
    found: list[tuple[Exercise, Path | None]] = []
    for exercise in exercises:
        folders = [here, *(folder / exercise.assignment for folder in (here, *around))]
        paths = [folder / f"{exercise.name}{suffix}" for folder in folders for suffix in SUFFIXES]
        found.append((exercise, the_begun(paths, Room(exercise, root))))
    printed = root / "exercises"
    whole = (root / "solutions").is_dir() and read_edition(root) is None  # solutions may lie over an edition
    if whole and any(path and path.is_relative_to(printed) for _, path in found):
        if not here.resolve().is_relative_to(root):
            raise UsageError(
                "this is no working copy", where=here, fix="Go to yours, or: softmarks start DIR"
            )
        raise UsageError(
            "these stubs are printed from the solutions, and not to be edited",
            where=printed,
            fix="Make a working copy: softmarks start DIR",
        )
    return found


def the_begun(paths: Sequence[Path], place: Room) -> Path | None:
    """The first of some files that is there and is not the stub; the first that is there, where all are."""
    there = [path for path in paths if path.is_file()]
    stub = place.stub.read_bytes().split() if len(there) > 1 and place.stub.is_file() else []
    return next((path for path in there if path.read_bytes().split() != stub), next(iter(there), None))


@dataclass(frozen=True)
class GivenHint:
    """A hint, the how-manieth it is, and how many there are."""

    text: str
    number: int
    most: int


def next_hint(course: Course, root: Path, here: Path, name: str) -> GivenHint:
    """The next hint for an exercise; notes that it was given. The last one again when there are no more."""
    place = room(course, root, name)
    name = place.exercise.name
    if not place.hints_file.is_file():
        raise UsageError(f"{name} has no hints", fix=f"softmarks check {name} explains what is wrong")
    diary, hints = diary_of(here, place.exercise), place.hints()
    given = hints_so_far(hints, *diary.hints(name))
    diary.give(name, given)
    return GivenHint(hints[given[-1]], len(given), len(hints))


def solutions(course: Course, root: Path, here: Path, name: str) -> list[tuple[str, str]]:
    """The reference solution and up to two alternatives, each with a title, for who has solved the exercise.

    Raises UsageError when that is still to be done, or when this edition has no solutions.
    """
    place = room(course, root, name)
    name = place.exercise.name
    if not place.solution.is_file():
        what = "the solution is a question sheet" if place.is_sheet else "this edition has no solutions"
        raise UsageError(what, fix=f"softmarks check {name} explains what is right")
    if diary_of(here, place.exercise).states().get(name) != "done":
        raise UsageError(f"{name} is not done yet", fix=f"Solve it first: softmarks hint {name} helps")
    others = [(path.stem.replace("_", " "), read_text(path)) for path in place.alternatives[:2]]
    return [(title, _code(text)) for title, text in (("the reference", place.reference()), *others)]


def _code(text: str) -> str:
    """A program without its cells of text, which stand in the exercise."""
    cells = re.split(r"^# %%", text, flags=re.M)
    return "\n".join(
        cell.partition("\n")[2] if number else cell
        for number, cell in enumerate(cells)
        if not cell.startswith(" [markdown]")
    ).strip()


def diary_of(here: Path, exercise: Exercise) -> Diary:
    """The diary of the working copy that a folder lies in; else of the folder, or around an assignment's."""
    copy = working_copy(here)
    if copy:
        return Diary(copy.folder)
    return Diary(here.parent if here.name == exercise.assignment else here)
