"""Print what a student edits from what an author wrote, and never over what a person changed by hand.

Needs the extra ``instructor``; nothing but building a course imports this module.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from softmarks.course.course import Course
from softmarks.course.rooms import Room
from softmarks.course.sheets import read_sheet, stub_text
from softmarks.course.stub import stub_source
from softmarks.course.text import read_text, write_text
from softmarks.errors import CourseError, UsageError

__all__ = ["Change", "build", "stub_source"]


@dataclass(frozen=True)
class Change:
    """A printed file that differs from the one on disk. ``diff`` is a unified diff, from disk to printed."""

    path: Path
    diff: str


def build(course: Course, root: Path, *, check: bool = False) -> list[Change]:
    """Print ``exercises/`` from ``solutions/``; what differed from the files on disk, in the order of paths.

    ``check`` writes nothing. Otherwise a file that a person edited stops the build before anything is
    written: UsageError names it. A file is a person's when its checksum is not the one recorded in
    ``exercises/.printed.json`` at the last build. A recorded file that is no longer printed is removed.
    """
    folder = root / "exercises"
    record = folder / ".printed.json"
    printed = _printed(course, root)
    recorded = _recorded(record)
    before = {name: _on_disk(folder / name) for name in sorted({*printed, *recorded})}
    wanted = {name: printed.get(name) for name in before}
    if not check:
        for name, text in before.items():
            if text is not None and text != wanted[name] and _checksum(text) != recorded.get(name):
                raise UsageError(
                    "this file was edited by hand, and building would overwrite it",
                    where=folder / name,
                    fix="Move the change to solutions/, delete the file, and build again",
                )
    checksums = {name: _checksum(text) for name, text in printed.items()}
    before[record.name] = _on_disk(record)
    wanted[record.name] = json.dumps(checksums, indent=2, sort_keys=True) + "\n"
    changes = []
    for name, text in before.items():
        if text != wanted[name]:
            changes.append(Change(folder / name, _diff(f"exercises/{name}", text, wanted[name])))
            if not check:
                _write(folder / name, wanted[name])
    return changes


def _printed(course: Course, root: Path) -> dict[str, str]:
    """Every printed file's text, by its path in ``exercises/``."""
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
    return printed


def _recorded(record: Path) -> dict[str, str]:
    """The checksum of each file of the last build, by its path in ``exercises/``."""
    if not record.exists():
        return {}
    wrong = partial(CourseError, where=record, fix="Delete it and build again")
    try:
        checksums = json.loads(read_text(record))
    except json.JSONDecodeError as error:
        raise wrong(f"the record of printed files is no JSON: {error.msg}", line=error.lineno) from None
    if not isinstance(checksums, dict):
        raise wrong("the record of printed files does not map paths to checksums")
    for name in checksums:
        if ".." in PurePath(name).parts or PurePath(name).is_absolute():
            raise wrong(f"{name} in the record of printed files leads out of the folder")
    return checksums


def _on_disk(path: Path) -> str | None:
    return read_text(path) if path.exists() else None


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(path: Path, text: str | None) -> None:
    """Put the whole text in place, or take the file away."""
    if text is None:
        path.unlink()
    else:
        write_text(path, text)


def _diff(name: str, old: str | None, new: str | None) -> str:
    return "".join(
        difflib.unified_diff(
            (old or "").splitlines(keepends=True),
            (new or "").splitlines(keepends=True),
            "/dev/null" if old is None else f"a/{name}",
            "/dev/null" if new is None else f"b/{name}",
        )
    )
