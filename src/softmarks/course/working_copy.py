"""A learner's working copy: the stubs of a course, or of one track, in a folder of the learner's own.

A file beside them says which course they are of, and is where a learner's progress is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from softmarks.course import edition
from softmarks.course.course import Course, Exercise
from softmarks.course.faults import near
from softmarks.course.rooms import Room
from softmarks.course.text import read_text, write_text
from softmarks.errors import CourseError, UsageError, reason_of

NAME = ".softmarks.json"
BACKUPS = ".backups"  # hidden, so that none of it is handed in


@dataclass(frozen=True)
class WorkingCopy:
    """Where a working copy lies, which course it is of (a folder or an installed name), and which track.

    A student edition is one too: its files are ``inside`` exercises/.
    """

    folder: Path
    course: str
    track: str | None
    inside: str = "."

    @property
    def files(self) -> Path:
        """The folder that holds a folder for each assignment."""
        return self.folder / self.inside

    def exercises(self, course: Course) -> tuple[Exercise, ...]:
        """The exercises of its track, or of the whole course, in the order of the course."""
        return of_track(course, self.track)


def of_track(course: Course, track: str | None) -> tuple[Exercise, ...]:
    """The exercises of a track, or all, in the order of the course. UsageError for an unknown track."""
    if track is None:
        return course.exercises
    tracks = {one.id: one.exercises for one in course.tracks}
    if track not in tracks:
        raise UsageError(f'there is no track "{track}"', fix=near(track, tracks))
    return tuple(exercise for exercise in course.exercises if exercise.name in tracks[track])


def working_copy(start: Path) -> WorkingCopy | None:
    """The working copy that a folder lies in, if it does."""
    folders = (start.resolve(), *start.resolve().parents)
    return next((copy for folder in folders if (copy := copy_in(folder))), None)


def copy_in(folder: Path) -> WorkingCopy | None:
    """The working copy whose file lies in this very folder, or that is a student edition."""
    if (folder / "course.yml").is_file():
        is_edition = (folder / edition.NAME).is_file()
        return WorkingCopy(folder, str(folder), None, "exercises") if is_edition else None
    try:
        page = json.loads(read_text(folder / NAME))["copy"]
        track = page["track"]
        return WorkingCopy(folder, str(page["course"]), None if track is None else str(track))
    except (CourseError, ValueError, KeyError, TypeError):
        return None


def begin(course: Course, root: Path, folder: Path, track: str | None, named: str) -> WorkingCopy:
    """Write a working copy into ``folder``, new or empty; ``named`` is how to find the course again."""
    exercises = of_track(course, track)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            "there is something already",
            where=folder,
            fix="Name a new folder; what lies in this one is left as it is",
        )
    places = [Room(exercise, root) for exercise in exercises]
    try:
        for place in places:
            write_text(folder / f"{place.address}.py", read_text(place.stub))
            if blocks := place.building_blocks:
                write_text(folder / place.exercise.assignment / blocks.name, read_text(blocks))
        page = {"copy": {"course": named, "track": track}}
        write_text(folder / NAME, json.dumps(page, indent=2) + "\n")
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(
            f"it cannot be written: {reason}", where=folder, fix="Name another folder"
        ) from error
    return WorkingCopy(folder.resolve(), named, track)


def put_back(copy: WorkingCopy, place: Room) -> Path | None:
    """Write an exercise's stub anew; where the file that was there is kept now."""
    target = copy.files / f"{place.address}.py"
    kept = None
    if target.exists():
        folder = copy.folder / BACKUPS / place.exercise.assignment
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + sum(1 for _ in folder.glob(f"{target.stem}-*.py"))
        kept = folder / f"{target.stem}-{number}.py"
        target.replace(kept)
    write_text(target, read_text(place.stub))
    return kept
