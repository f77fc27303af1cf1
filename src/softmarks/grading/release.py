"""Write the student edition of a course: what students get before the deadline, and nothing else.

Stubs and given code, public suites, hints, pictures, the questions without answers, and fingerprints,
from which a student is told the name of a mistake. No solution, no hidden suite, no misconception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from softmarks.course.course import Course
from softmarks.course.rooms import Room, rooms
from softmarks.course.sheets import as_asked, read_sheet
from softmarks.course.text import read_text, write_text
from softmarks.errors import UsageError
from softmarks.grading.workers import Worker


def release(course: Course, root: Path, folder: Path, tell: Callable[[str], None]) -> list[Path]:
    """Write the student edition into ``folder``, which must be new or empty; the files, in order."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            "there is something already",
            where=folder,
            fix="Name a new folder: what students have begun in this one would be lost",
        )
    written = []
    for name, text in edition(course, root, tell):
        write_text(folder / name, text)
        written.append(folder / name)
    return written


def edition(course: Course, root: Path, tell: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """The files of the student edition: each one's path in the course, and its text."""
    with Worker(root, "optional") as worker:
        for place, text in _files(course, root, worker, tell):
            yield place.relative_to(root).as_posix(), text


def _files(
    course: Course, root: Path, worker: Worker, tell: Callable[[str], None]
) -> Iterator[tuple[Path, str]]:
    """Each file's place in the whole course, and its text."""
    yield root / "course.yml", read_text(root / "course.yml")
    for assignment in course.assignments:
        given = root / "exercises" / assignment.name / "building_blocks.py"
        if given.is_file():
            yield given, read_text(given)
    for room in rooms(course, root):
        tell(f"{room.exercise.name}…")
        yield room.stub, read_text(room.stub)
        yield from _sheet(room) if room.is_sheet else _room(room, worker)


def _sheet(room: Room) -> Iterator[tuple[Path, str]]:
    yield room.asked_sheet, as_asked(read_sheet(room.sheet))


def _room(room: Room, worker: Worker) -> Iterator[tuple[Path, str]]:
    for path in (room.public, room.hints_file, room.picture):
        if path.is_file():
            yield path, read_text(path)
    yield room.fingerprints, worker.fingerprints(room.exercise.name)
