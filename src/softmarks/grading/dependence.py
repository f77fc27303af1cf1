"""What a verdict depends on, as a short text: where it is the same, so is the verdict, and nothing is run.

It has three parts, so that a change can be told: the work, what the author wrote, the software.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from softmarks.course.course import Course
from softmarks.course.rooms import Room, room
from softmarks.course.text import read_text
from softmarks.grading import kept
from softmarks.sandbox.installed import version_of

PARTS = {0: "the work", 1: "the suite, the course or the seed", 2: "Softmarks, Python or a package"}


class Dependence:
    """The keys of verdicts in one course."""

    def __init__(self, course: Course, root: Path, *, trust: bool, seed: int = 0) -> None:
        self.course = course
        self.root = root
        self.trust = trust
        self.seed = seed
        self.rooms: dict[str, str] = {}

    def key(self, exercise: str, cells: Sequence[str]) -> str:
        """What the verdict on a program depends on."""
        drawn = f"{self.authored(exercise)}-{self.seed}"
        return ".".join([kept.key(cells), drawn, self.software])

    def authored(self, exercise: str) -> str:
        """What an author wrote about an exercise, as one short text."""
        if exercise not in self.rooms:
            self.rooms[exercise] = self._authored(room(self.course, self.root, exercise))
        return self.rooms[exercise]

    def _authored(self, place: Room) -> str:
        """All that an author wrote about an exercise; sheets, suites, hints and what names mistakes."""
        paths = [place.solution, place.sheet, place.hidden, place.misconceptions_file, place.hints_file]
        paths += [*sorted(place.root.glob("graders/*.py")), *filter(None, [place.building_blocks])]
        texts = [read_text(path) if path.is_file() else "" for path in paths]
        about = [self.course.kinds, self.course.limits, self.course.axes, self.course.name_mistakes]
        return kept.key([*texts, repr(place.exercise), *map(repr, about)])

    @cached_property
    def software(self) -> str:
        """The engine, Python, and the packages of the course; and whether programs are confined."""
        packages = [f"{name} {version_of(name)}" for name in self.course.packages]
        return kept.key([kept.engine(), sys.version, *packages, repr(self.trust)])


def changed(before: str, now: str) -> str:
    """Which parts of a key differ, in words; nothing where none does, or where a key is not known."""
    if not before or not now:
        return ""
    parts = zip(before.split("."), now.split("."), strict=False)
    return ", ".join(PARTS[number] for number, (old, new) in enumerate(parts) if old != new)
