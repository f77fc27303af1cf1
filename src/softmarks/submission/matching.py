"""Whose work is it? Submissions, or verdicts, and a roster's students, brought together without a guess."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Generic, Protocol, TypeVar

from softmarks.submission.names import CANVAS, EDGES, MOODLE, printable
from softmarks.submission.roster import Student

MOST_WORDS = 20  # of a name, whose order a platform may have changed
COUNTED = re.compile(r"(?P<name>.+?)(?: (?P<id>\d+))?(?: \(\d+\))?")  # work of two of one name, told apart


class Work(Protocol):
    """Something that a student handed in: under which name, and where it lay."""

    @property
    def student(self) -> str: ...

    @property
    def origin(self) -> str: ...


W = TypeVar("W", bound=Work)


@dataclass(frozen=True)
class Matching(Generic[W]):
    """Who did what. Each student is in ``pairs`` or ``without_work``; each work in one of the others.

    Everything is in the order in which it was given.
    """

    pairs: tuple[tuple[Student, W], ...]
    without_work: tuple[Student, ...]
    unknown: tuple[W, ...]  # of students who are not on the roster
    ambiguous: tuple[tuple[W, tuple[Student, ...]], ...]  # of one of several, or one of several of one


def matched(works: Sequence[W], roster: Sequence[Student]) -> Matching[W]:
    """Find each work's student by id, by the platform's number, by email, its local part or by name.

    A name may be written as Moodle and Canvas write it into file names: without signs, the last name first.
    The number in such a file name decides between students of one name. Whatever answers to two students is
    ambiguous, and so are two works that answer to one.
    """
    known = _Known(roster)
    found = [known.candidates(work) for work in works]
    claims = Counter(rows[0] for rows in found if len(rows) == 1)
    whose: dict[int, W] = {}
    unknown, ambiguous = [], []
    for work, rows in zip(works, found, strict=True):
        if not rows:
            unknown.append(work)
        elif len(rows) > 1 or claims[rows[0]] > 1:
            ambiguous.append((work, tuple(roster[row] for row in rows)))
        else:
            whose[rows[0]] = work
    return Matching(
        tuple((student, whose[row]) for row, student in enumerate(roster) if row in whose),
        tuple(student for row, student in enumerate(roster) if row not in whose),
        tuple(unknown),
        tuple(ambiguous),
    )


class _Known:
    """The rows of a roster by everything that they answer to."""

    def __init__(self, roster: Sequence[Student]) -> None:
        self.ids: dict[str, set[int]] = {}
        self.names: dict[str, set[int]] = {}
        self.numbers: dict[str, set[int]] = {}
        for row, student in enumerate(roster):
            for found, texts in (
                (self.ids, ids_of(student)),
                (self.names, _orders(student.name)),
                (self.numbers, {student.number} - {""}),
            ):
                for text in texts:
                    found.setdefault(text, set()).add(row)

    def candidates(self, work: Work) -> list[int]:
        """The rows that work may belong to: one, when it is clear."""
        entry = PurePath(work.origin).name
        moodle, canvas = MOODLE.match(entry), CANVAS.match(entry)
        counted = COUNTED.fullmatch(work.student)
        written = [found for found in (moodle or canvas, counted) if found]
        named = self._named(work.student)
        for found in written:
            named = named or self._named(found["name"])
        numbered = {row for found in written for row in self.numbers.get(found["id"] or "", ())}
        if canvas and not moodle:  # its number is the user's, Moodle's is not
            return sorted(named & numbered or named | numbered)
        return sorted(named & numbered or named)

    def _named(self, text: str) -> set[int]:
        return self.ids.get(plain_id(text), set()) | self.names.get(_letters(text), set())


def ids_of(student: Student) -> set[str]:
    """What a student is called besides the name, each as `plain_id` writes it."""
    texts = (student.student_id, student.lms_id, student.email, student.email.partition("@")[0])
    return {plain_id(text) for text in (*texts, *student.also)} - {""}


def plain_id(text: str) -> str:
    """An id as it is compared: without signs at its edges, which file names lose, in small letters."""
    return printable(text).strip(EDGES).casefold()


def _orders(name: str) -> Iterator[str]:
    """The letters and digits of a name, from any of its words on: ``adalovelace``, ``lovelaceada``."""
    words = [word for word in map(_letters, re.split(r"[\s,]+", name)) if word]
    for first in range(min(len(words), MOST_WORDS)):
        yield "".join(words[first:] + words[:first])


def _letters(text: str) -> str:
    return "".join(char for char in printable(text).casefold() if char.isalnum())
