"""A course folder on which plain nbgrader commands work. Nothing that a person wrote is overwritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from softmarks.course.course import Assignment, Course
from softmarks.course.packing import zipped
from softmarks.course.printing import Printing
from softmarks.course.rooms import Room
from softmarks.course.text import read_text, write_text
from softmarks.errors import UsageError, reason_of
from softmarks.grading.release import edition
from softmarks.notebook.source import source_notebook
from softmarks.submission.names import CHECKS

CONFIG = "nbgrader_config.py"
RECORDS = ".softmarks"  # what was written here, to know what a person changed since

CONFIG_TEXT = """\
# nbgrader's configuration of this course. Add what you like: `softmarks nbgrader build` never changes it.
import os

from softmarks.notebook.configuring import configure

c = get_config()  # noqa: F821
c.CourseDirectory.root = os.path.dirname(os.path.abspath(__file__))
c.CourseDirectory.course_id = {course_id!r}
configure(c, course={course!r})
"""


@dataclass
class Built:
    """What a build wrote, and what it left because a person had changed it."""

    written: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)


def build_folder(course: Course, root: Path, folder: Path, source: str, tell: Callable[[str], None]) -> Built:
    """Write the assignments of ``course`` and nbgrader's configuration into ``folder``.

    ``source`` is how the configuration names the course: its folder or its installed name. Raises UsageError
    when the folder cannot be written.
    """
    built = Built()
    try:
        folder.mkdir(parents=True, exist_ok=True)  # before the long work
        for assignment in course.assignments:
            target = folder / "source" / assignment.name
            record = folder / RECORDS / f"{assignment.name}.json"
            printing = Printing(target, _files(assignment, course, root, tell), record)
            built.written += printing.write()
            built.kept += [target / name for name in printing.edited]
        if not (folder / CONFIG).exists():
            write_text(folder / CONFIG, CONFIG_TEXT.format(course_id=course.id, course=source))
            built.written.append(folder / CONFIG)
    except OSError as error:
        raise UsageError(
            f"the course folder cannot be written: {reason_of(error)}",
            where=folder,
            fix="Name a folder that can be; what was written so far is whole",
        ) from error
    return built


def _files(
    assignment: Assignment, course: Course, root: Path, tell: Callable[[str], None]
) -> Mapping[str, bytes]:
    """The files of one assignment: a notebook an exercise, given code, and the checks of students."""
    places = [Room(exercise, root) for exercise in assignment.exercises]
    files = {f"{place.exercise.name}.ipynb": _notebook(place, course) for place in places}
    blocks = places[0].building_blocks
    if blocks:
        files[blocks.name] = read_text(blocks).encode()
    files[CHECKS] = zipped(dict(edition(course.part([assignment.name]), root, tell)))
    return files


def _notebook(place: Room, course: Course) -> bytes:
    return (nbformat.writes(source_notebook(place, course)) + "\n").encode()
