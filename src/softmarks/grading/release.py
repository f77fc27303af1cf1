"""Write an edition of a course: what students get before the deadline, or what they get after it.

The student edition has stubs and given code, public suites, hints, pictures, the questions without answers,
and fingerprints, from which a student is told the name of a mistake. No solution, no hidden suite, no
misconception. The solutions, later, are laid over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from softmarks.course import edition as editions
from softmarks.course.course import Course
from softmarks.course.rooms import Room, rooms
from softmarks.course.sheets import as_asked, read_sheet
from softmarks.course.suites import read_suite
from softmarks.course.text import read_text
from softmarks.grading.handout import handout
from softmarks.grading.workers import Worker


def student_edition(
    course: Course, root: Path, tell: Callable[[str], None], suffix: str = ".py"
) -> dict[str, bytes]:
    """All files that students get before the deadline, by their paths, with what they need to begin.

    ``suffix`` is that of the files that they will work on.
    """
    return dict(edition(course, root, tell)) | handout(course, suffix)


def edition(course: Course, root: Path, tell: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """The part of it that `softmarks check` reads: each file's path in the course, and its bytes."""
    with Worker(root, "optional") as worker:
        for place, text in _files(course, root, worker, tell):
            yield place.relative_to(root).as_posix(), text.encode()


def solutions(course: Course, root: Path) -> dict[str, bytes]:
    """What students get after the deadline: solutions, other ways, explanations, answers to the questions."""
    files: list[Path] = []
    for place in rooms(course, root):
        files += [place.sheet] if place.is_sheet else [place.solution, *place.alternatives]
        files += [path for path in (place.explanation_file,) if path.is_file()]
    return {path.relative_to(root).as_posix(): read_text(path).encode() for path in files}


def _files(
    course: Course, root: Path, worker: Worker, tell: Callable[[str], None]
) -> Iterator[tuple[Path, str]]:
    """Each file's place in the whole course, and its text."""
    places = rooms(course, root)
    yield root / "course.yml", read_text(root / "course.yml")
    hidden = {place.exercise.name: _hidden(place) for place in places if not place.is_sheet}
    yield root / editions.NAME, editions.edition_text([place.exercise.name for place in places], hidden)
    for assignment in course.assignments:
        given = root / "exercises" / assignment.name / "building_blocks.py"
        if given.is_file():
            yield given, read_text(given)
    for place in places:
        tell(f"{place.exercise.name}…")
        stub = read_text(place.stub)
        yield place.printed, stub
        yield place.graders / "stub.py", stub
        yield from _sheet(place) if place.is_sheet else _room(place, worker)


def _hidden(place: Room) -> dict[str, int]:
    """How many checks of each kind the hidden suite has."""
    return dict(Counter(check.marks[0] for check in read_suite(place.hidden).checks))


def _sheet(place: Room) -> Iterator[tuple[Path, str]]:
    yield place.asked_sheet, as_asked(read_sheet(place.sheet))


def _room(place: Room, worker: Worker) -> Iterator[tuple[Path, str]]:
    for path in (place.public, place.hints_file, place.picture):
        if path.is_file():
            yield path, read_text(path)
    yield place.fingerprints, worker.fingerprints(place.exercise.name)
