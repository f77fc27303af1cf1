"""Which file belongs to which exercise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from softmarks.submission import Unreadable
from softmarks.submission.archives import OTHER_ARCHIVES, Contents, Entry
from softmarks.submission.names import Found, find, listing, printable, quoted, split_name
from softmarks.submission.notebooks import binds
from softmarks.submission.reading import Source, read_source, size_limit

if TYPE_CHECKING:
    from softmarks.course.course import Course, Exercise

PROGRAMS = {".py", ".ipynb"}
SHIPPED = {"building_blocks.py", "test_public.py", "hints.md", "explanation.md", "readme.md", "timestamp.txt"}
# names that a Python program would load instead of the real thing: never a student's answer
HOOKS = {
    "conftest",
    "sitecustomize",
    "usercustomize",
    "torch",
    "numpy",
    "pytest",
    "softmarks",
    "setup",
    "__init__",
}
SHOWN = {".txt", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".md", ".html", ".pth", *OTHER_ARCHIVES}
SAME_TIME = 2.0  # seconds; a zip records no finer
MAX_NAMELESS = 20  # files that are looked into when no name says anything


@dataclass(frozen=True)
class Placed:
    """What one student handed in, by exercise."""

    sources: dict[str, Source]
    repairs: tuple[str, ...]
    unplaced: tuple[str, ...]


@dataclass(frozen=True)
class _Candidate:
    """A file that may hold an exercise: its name says so (``found``), or only its content can."""

    entry: Entry
    found: Found | None
    read: Callable[[], Source]  # for whichever exercise; reads once

    def is_for(self, exercise: Exercise) -> bool:
        return self.found is not None and self.found.name == exercise.name

    def holds(self, exercise: Exercise) -> bool:
        """Whether there is something of the exercise in it; in a file that cannot be read there may be."""
        if self.is_for(exercise) or (self.read().unreadable and not self.read().empty):
            return True
        text = self.read().text
        if self.found is None:
            return any(binds(text, name) for name in exercise.answers)
        return any(re.search(rf"\b{re.escape(name)}\b", text) for name in exercise.answers)

    def claim(self, exercise: Exercise) -> list[str]:
        """The sentence that says why this file is taken, unless its name is exactly right."""
        path = quoted(self.entry.path)
        if self.found is None:
            return [f"took {path} as {exercise.name}, because of what it defines"]
        exact = self.found.exact and self.entry.name.endswith((".py", ".ipynb"))
        return [] if exact else [f"took {path} as {self.found.name}"]


def place(contents: Contents, course: Course) -> Placed:
    """Give each file to the exercise, or to all exercises of the assignment, that its name speaks of.

    When no name speaks of anything in the course, files are placed by what they define.
    """
    named: dict[str, list[_Candidate]] = {}
    rest: list[Entry] = []
    unplaced: list[str] = []
    answers = {name: _answers(course, name) for name in names_of(course)}
    exercises = [exercise.name for exercise in course.exercises]
    for entry in contents.entries:
        stem, kind = split_name(entry.name)
        if entry.name.casefold() in SHIPPED:
            continue
        if kind not in PROGRAMS:
            if kind in SHOWN:
                unplaced.append(entry.path)
            continue
        found = find(stem, exercises) or find(stem, answers)
        if found is None:
            rest.append(entry)
        else:
            candidate = _Candidate(entry, found, _reader(entry, answers[found.name]))
            named.setdefault(found.name, []).append(candidate)
    if not named and len(rest) <= MAX_NAMELESS:
        every = [name for exercise in course.exercises for name in exercise.answers]
        able = [entry for entry in rest if split_name(entry.name)[0].casefold() not in HOOKS]
        named[""] = [_Candidate(entry, None, _reader(entry, every)) for entry in able]
    sources: dict[str, Source] = {}
    for exercise in course.exercises:
        candidates = [*named.get(exercise.name, ()), *named.get(exercise.assignment, ()), *named.get("", ())]
        if source := _chosen(candidates, exercise):
            sources[exercise.name] = source
    taken = {source.filename for source in sources.values()}
    rest = [entry for entry in rest if entry.path not in taken]
    repairs = _shortened(list(contents.refused.values())) + _shortened(contents.unopened)
    if rest:
        names = listing(printable(entry.path, 60) for entry in rest)
        repairs.append(f"only the exercise files are graded; not graded: {names}")
    return Placed(sources, tuple(repairs), tuple(sorted([*unplaced, *(entry.path for entry in rest)])))


def names_of(course: Course) -> list[str]:
    """The names that a file may carry: every exercise and every assignment."""
    exercises = course.exercises
    return list(dict.fromkeys([*(part.name for part in exercises), *(part.assignment for part in exercises)]))


def _answers(course: Course, name: str) -> list[str]:
    """What an exercise, or all exercises of an assignment, must define."""
    parts = [exercise for exercise in course.exercises if name in (exercise.name, exercise.assignment)]
    return [answer for exercise in parts for answer in exercise.answers]


def _reader(entry: Entry, answers: Sequence[str]) -> Callable[[], Source]:
    @cache
    def read() -> Source:
        try:
            data = entry.read(size_limit(entry.name))
        except Unreadable as reason:
            return Source("", "", entry.path, (), str(reason))
        return read_source(data, entry.path, "", answers)

    return read


def _chosen(candidates: Sequence[_Candidate], exercise: Exercise) -> Source | None:
    """The source of ``exercise``, from the latest of its files that can be read."""
    able = [candidate for candidate in candidates if candidate.holds(exercise)]
    if not able:
        return None
    order = _latest_first(able, exercise)
    taken = next((candidate for candidate in order if not candidate.read().unreadable), order[0])
    source = taken.read()
    repairs = taken.claim(exercise)
    if len(order) > 1:
        left = listing(quoted(other.entry.path) for other in order if other is not taken)
        repairs.append(
            f"{len(order)} files for {exercise.name}: took {quoted(taken.entry.path)}, left {left}"
        )
        for later in order[: order.index(taken)][:5]:
            repairs.append(f"{quoted(later.entry.path)} cannot be read: {later.read().unreadable}")
    return replace(
        source,
        exercise=exercise.name,
        repairs=(*repairs, *source.repairs),
        modified=taken.entry.modified,
    )


def _latest_first(candidates: Sequence[_Candidate], exercise: Exercise) -> list[_Candidate]:
    """By attempt, then time; of files of one time the one named after the exercise, then the ``.py``."""
    left = list(candidates)
    order = []
    while left:
        last = max(_attempt(candidate) for candidate in left)
        newest = max(candidate.entry.modified for candidate in left if _attempt(candidate) == last)
        latest = min(
            (c for c in left if _attempt(c) == last and newest - c.entry.modified <= SAME_TIME),
            key=lambda c: (not c.is_for(exercise), split_name(c.entry.name)[1] != ".py", c.entry.path),
        )
        order.append(latest)
        left.remove(latest)
    return order


def _attempt(candidate: _Candidate) -> tuple[int, ...]:
    return candidate.found.attempt if candidate.found else ()


def _shortened(sentences: list[str], most: int = 10) -> list[str]:
    more = [f"and {len(sentences) - most} more of this kind"] if len(sentences) > most else []
    return sentences[:most] + more
