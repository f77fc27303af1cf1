"""Print what a student edits from what an author wrote, and never over what a person changed by hand.

Needs the extra ``instructor``; nothing but building a course imports this module.
"""

from __future__ import annotations

from pathlib import Path

from softmarks.course.course import Course
from softmarks.course.printing import Change, Printing
from softmarks.course.rooms import Room
from softmarks.course.sheets import read_sheet, stub_text
from softmarks.course.stub import stub_source
from softmarks.course.text import read_text
from softmarks.errors import UsageError

__all__ = ["Change", "build", "stub_source"]


def build(course: Course, root: Path, *, check: bool = False) -> list[Change]:
    """Print ``exercises/`` from ``solutions/``; what differed from the files on disk, in the order of paths.

    ``check`` writes nothing. Otherwise a file that a person edited stops the build before anything is
    written: UsageError names it.
    """
    folder = root / "exercises"
    printing = Printing(folder, _printed(course, root), folder / ".printed.json")
    if printing.edited and not check:
        raise UsageError(
            "this file was edited by hand, and building would overwrite it",
            where=folder / printing.edited[0],
            fix="Move the change to solutions/, delete the file, and build again",
        )
    changes = printing.changes()
    if not check:
        printing.write()
    return changes


def _printed(course: Course, root: Path) -> dict[str, bytes]:
    """Every printed file, by its path in ``exercises/``."""
    printed = {}
    for assignment in course.assignments:
        blocks = root / "solutions" / assignment.name / "building_blocks.py"
        if blocks.is_file():
            printed[f"{assignment.name}/{blocks.name}"] = read_text(blocks)
        for place in (Room(exercise, root) for exercise in assignment.exercises):
            name = f"{place.address}.py"
            if place.is_sheet:
                printed[name] = stub_text(read_sheet(place.sheet), place.exercise)
            else:
                printed[name] = stub_source(place.solution, place.exercise)
    return {name: text.encode() for name, text in printed.items()}
