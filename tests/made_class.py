"""A class made from what a course knows: right answers, mistakes, pairs, answers without thought, damage.

The same seed makes the same class. What each program is worth is worked out without a host and without
pytest, by playing it: so the marks of a whole run have something to be held against.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from softmarks.course.course import Course
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import letters, read_sheet, right_answers
from softmarks.course.text import read_text
from softmarks.course.variants import joined
from softmarks.grading.workers import Worker

BROKEN = (b'{"cells": [', b"\0" * 2000, b"\x89PNG\r\n\x1a\n" + bytes(40))


@dataclass
class Student:
    """What somebody hands in, by file name, and the points of each exercise; None for no mark."""

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    points: dict[str, Decimal | None] = field(default_factory=dict)


def handed_in(
    course: Course, root: Path, exercises: Sequence[str], students: int, seed: int
) -> dict[str, list[bytes | None]]:
    """What so many students hand in, by exercise; None for nothing."""
    chance = random.Random(seed)
    found: dict[str, list[bytes | None]] = {}
    for name in exercises:
        place = room(course, root, name)
        ways = _sheet_ways(place) if place.is_sheet else _ways(place, chance)
        found[name] = [chance.choice(ways)() for _ in range(students)]
    return found


def made_class(
    course: Course, root: Path, worker: Worker, exercises: Sequence[str], students: int, seed: int
) -> list[Student]:
    """So many students with a file for nearly every exercise, and what it is worth."""
    chance = random.Random(seed)
    made = [Student(f"student_{number:03}") for number in range(students)]
    for name, handed in handed_in(course, root, exercises, students, seed).items():
        worth = _worth(room(course, root, name), handed, worker)
        for student, program in zip(made, handed, strict=True):
            if program is None:
                student.points[name] = Decimal(0)
            elif program in BROKEN:
                student.files[f"{name}.ipynb"] = program
                student.points[name] = None
            else:
                student.files[_called(name, chance)] = program
                student.points[name] = worth[program]
    return made


def _worth(place: Room, handed: Sequence[bytes | None], worker: Worker) -> dict[bytes, Decimal | None]:
    """What each program is worth; of a question sheet the letters, all right, and no words."""
    programs = [one for one in dict.fromkeys(handed) if one is not None and one not in BROKEN]
    if place.is_sheet:
        return dict.fromkeys(programs, place.exercise.points - place.exercise.judged)
    name = place.exercise.name
    points = worker.points(name, [(one.decode(), 0) for one in programs])
    return {  # what ends its process cannot be played
        one: worker.mark(name, [one.decode()]).points if got is None else got
        for one, got in zip(programs, points, strict=True)
    }


def _ways(place: Room, chance: random.Random) -> list[Callable[[], bytes | None]]:
    """What people do with an exercise; right answers and single mistakes are the most frequent."""
    reference, wrong = place.reference(), place.misconceptions()
    right = [reference, *map(read_text, place.alternatives)]

    def pair() -> bytes:
        for _ in range(50):
            program = joined(chance.sample(wrong, 2), reference)
            if program is not None:
                return program.encode()
        return reference.encode()

    def one_right() -> bytes:
        return chance.choice(right).encode()

    def one_wrong() -> bytes:
        return chance.choice(wrong).apply(reference).encode()

    def thoughtless() -> bytes:
        return chance.choice(place.trivial()).apply(reference).encode()

    ways: list[Callable[[], bytes | None]] = [one_right] * 5 + [one_wrong] * 5 + [pair] * 2 + [thoughtless]
    return [*ways, place.stub.read_bytes, lambda: None, lambda: chance.choice(BROKEN)]


def _sheet_ways(place: Room) -> list[Callable[[], bytes | None]]:
    answers = letters(right_answers(read_sheet(place.sheet))).encode()
    return [lambda: answers]


def _called(name: str, chance: random.Random) -> str:
    """A file name as people have them."""
    return chance.choice([f"{name}.py", f"{name}.py", f"{name} (1).py", f"{name}-final.py"])


def write(students: list[Student], folder: Path) -> None:
    """Each student's files in a folder."""
    for student in students:
        (folder / student.name).mkdir(parents=True)
        for name, data in student.files.items():
            (folder / student.name / name).write_bytes(data)
        if not student.files:
            (folder / student.name / "notes.txt").write_text(json.dumps("nothing yet"))
