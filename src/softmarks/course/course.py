"""The course as `course.yml` states it: outcomes, tracks, kinds of checks, exercises, points, limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from softmarks.course.edition import read_edition
from softmarks.course.faults import Fault, Place, course_error, faults_of, near
from softmarks.course.located import read_document
from softmarks.errors import UsageError

RESERVED_MARKS = (
    "needs",
    "enforces",
    "parametrize",
    "skip",
    "skipif",
    "xfail",
    "usefixtures",
    "filterwarnings",
)


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("should be a number")
    return value


def _date(value: object) -> object:
    if not isinstance(value, str | datetime):
        raise ValueError("should be a date such as 2027-03-19T18:00:00+01:00")
    return value


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$")]
Folder = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")]
Module = Annotated[str, StringConstraints(pattern=r"^[a-z]+[a-z0-9]*(_[a-z0-9]+)*$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Whole = Annotated[int, Field(strict=True, gt=0)]
Number = BeforeValidator(_number)
Share = Annotated[Decimal, Number, Field(ge=0, allow_inf_nan=False)]
Due = Annotated[AwareDatetime, BeforeValidator(_date)]


Bar = Annotated[float, Number, Field(ge=0, le=1)]


class _Part(BaseModel):
    """Base of all parts of a course: immutable, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LearningOutcome(_Part):
    """What a student can do afterwards, and the passage that teaches it."""

    id: Slug
    says: Text
    source: Text


class Track(_Part):
    """One way through the course: the names of its exercises."""

    id: Slug
    says: Text
    exercises: tuple[str, ...] = Field(min_length=1)


class Kind(_Part):
    """A kind of checks: the sentence for it, its share of the points, the kinds that must pass first."""

    says: Text
    share: Share
    needs: tuple[str, ...] = ()


class Limits(_Part):
    """What one exercise of one student may use: CPU seconds, and memory in MiB."""

    cpu_seconds: Annotated[float, Number, Field(gt=0, le=3600)]
    memory_mb: Whole


class Late(_Part):
    """What late work loses: of its points the share ``per_day``, for each day begun after ``due``.

    ``free_days`` are days that each student may be late over the whole course, as whole days, without a
    loss. Work that is more than ``last_day`` days late, free ones too, is worth nothing.
    """

    per_day: Annotated[Decimal, Number, Field(ge=0, le=1, allow_inf_nan=False)] = Decimal(0)
    free_days: Annotated[int, Field(strict=True, ge=0, le=365)] = 0
    last_day: Annotated[int, Field(strict=True, ge=0, le=365)] | None = None


class AuditBars(_Part):
    """What an audit asks.

    ``trivial_ceiling`` is the share of an exercise's points that a trivial answer may keep. The others are
    shares of all that was tried: of misconceptions ``named`` rightly, of pairs of them that are caught
    (``pairs_caught``), of which nothing untrue is told (``pairs_sound``) and that are named as they are
    (``pairs_exact``), of machine-made mutants that are killed (``mutants``).
    """

    trivial_ceiling: Bar = 0.2
    named: Bar = 0.95
    pairs_caught: Bar = 0.99
    pairs_sound: Bar = 0.98
    pairs_exact: Bar = 0.6
    mutants: Bar = 0.95


class Exercise(_Part):
    """One exercise. ``answers`` are the names that a submission must define; ``assignment`` is filled in.

    Of its ``points``, ``judged`` are given by a person, for what is answered in words.
    """

    name: Module
    assignment: str = ""
    title: Text
    minutes: Whole
    difficulty: Annotated[int, Field(strict=True, ge=1, le=5)]
    outcomes: tuple[str, ...] = Field(min_length=1)
    points: Annotated[Decimal, Number, Field(gt=0, decimal_places=2, allow_inf_nan=False)]
    judged: Annotated[Decimal, Number, Field(ge=0, decimal_places=2, allow_inf_nan=False)] = Decimal(0)
    bonus: Annotated[bool, Field(strict=True)] = False
    answers: tuple[Name, ...] = Field(min_length=1)
    shares: dict[str, Share] | None = None
    limits: Limits | None = None


class Assignment(_Part):
    """Exercises that are handed in together, until ``due``."""

    name: Folder
    title: Text
    due: Due | None = None
    exercises: tuple[Exercise, ...] = Field(min_length=1)

    @field_validator("exercises")
    @classmethod
    def _tell_exercises(cls, exercises: tuple[Exercise, ...], info: ValidationInfo) -> tuple[Exercise, ...]:
        name = info.data.get("name", "")
        return tuple(exercise.model_copy(update={"assignment": name}) for exercise in exercises)


class Course(_Part):
    """A whole course, as written in its ``course.yml``."""

    id: Slug
    title: Text
    version: Text
    status: Literal["draft", "released"]
    packages: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()  # how messages name the dimensions of a tensor, the last ones
    limits: Limits
    feedback: Literal["all", "mistake", "outcomes"]
    name_mistakes: Annotated[bool, Field(strict=True)] = True
    late: Late = Late()
    audit: AuditBars = AuditBars()
    kinds: dict[Module, Kind] = Field(min_length=1)
    outcomes: tuple[LearningOutcome, ...] = Field(min_length=1)
    tracks: tuple[Track, ...] = ()
    assignments: tuple[Assignment, ...] = Field(min_length=1)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """All exercises, in the order of the course."""
        return tuple(exercise for assignment in self.assignments for exercise in assignment.exercises)

    def exercise(self, name: str) -> Exercise:
        """The exercise called ``name``; its address and its file's name are names too.

        Raises UsageError, with near names, when there is none.
        """
        found = {exercise.name: exercise for exercise in self.exercises}
        plain = re.sub(r"^.*/|\.(py|ipynb)$", "", name)
        if plain not in found:
            raise UsageError(f'there is no exercise "{name}"', fix=near(plain, found))
        return found[plain]

    def assignment(self, name: str) -> Assignment:
        """The assignment called ``name``. Raises UsageError, with near names, when there is none."""
        found = {assignment.name: assignment for assignment in self.assignments}
        if name not in found:
            raise UsageError(f'there is no assignment "{name}"', fix=near(name, found))
        return found[name]

    def part(self, names: Sequence[str]) -> Course:
        """The same course with these assignments and exercises alone; whole when ``names`` is empty.

        Raises UsageError, with near names, for one that is neither.
        """
        known = {part.name for part in self.assignments} | {exercise.name for exercise in self.exercises}
        for name in names:
            if name not in known:
                raise UsageError(f'there is no assignment or exercise "{name}"', fix=near(name, known))
        if not names:
            return self
        parts = []
        for assignment in self.assignments:
            whole = assignment.name in names
            chosen = tuple(one for one in assignment.exercises if whole or one.name in names)
            parts += [assignment.model_copy(update={"exercises": chosen})] if chosen else []
        return self.model_copy(update={"assignments": tuple(parts)})

    def shares(self, exercise: Exercise) -> dict[str, Fraction]:
        """The weight of each kind in ``exercise``: its own shares, and the course's for the other kinds."""
        own = exercise.shares or {}
        return {name: Fraction(own.get(name, kind.share)) for name, kind in self.kinds.items()}


def load_course(root: Path) -> Course:
    """Read ``root/course.yml``; in a student edition, the part of the course that is in it.

    Raises CourseError that lists what is wrong, with lines and what to write.
    """
    document = read_document(root / "course.yml")
    try:
        course = Course.model_validate(document.value)
    except ValidationError as error:
        raise course_error(faults_of(error, _SECTIONS), document) from None
    faults = [*_wrong_kinds(course), *_wrong_names(course), *_wrong_references(course)]
    if faults:
        raise course_error(faults, document)
    edition = read_edition(root)
    return course.part(edition.exercises) if edition else course


_SECTIONS: Mapping[str, Sequence[str]] = {
    "": tuple(Course.model_fields),
    "limits": tuple(Limits.model_fields),
    "late": tuple(Late.model_fields),
    "audit": tuple(AuditBars.model_fields),
    "kinds": tuple(Kind.model_fields),
    "outcomes": tuple(LearningOutcome.model_fields),
    "tracks": tuple(Track.model_fields),
    "assignments": tuple(Assignment.model_fields),
    "exercises": tuple(name for name in Exercise.model_fields if name != "assignment"),
}


def _wrong_kinds(course: Course) -> Iterator[Fault]:
    """Kinds that cannot be pytest marks, and kinds that need each other in a circle."""
    for name in course.kinds:
        place = ("kinds", name)
        if name in RESERVED_MARKS:
            yield Fault(place, f'pytest has a mark "{name}" of its own', "Give the kind another name")
        circle = _circle(name, course.kinds)
        if circle:
            yield Fault(
                (*place, "needs"), f"kinds need each other: {' > '.join(circle)}", "Take one need away"
            )


def _circle(start: str, kinds: Mapping[str, Kind]) -> list[str]:
    """The way from a kind over its needs back to itself, or an empty list."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for name in kinds[way[-1]].needs if way[-1] in kinds else ():
            if name == start:
                return [*way, start]
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return []


def _wrong_names(course: Course) -> Iterator[Fault]:
    """Names that occur twice, and exercise names that are a part of an assignment's name."""
    yield from _twice("outcome", ((("outcomes", i), outcome.id) for i, outcome in enumerate(course.outcomes)))
    yield from _twice("track", ((("tracks", i), track.id) for i, track in enumerate(course.tracks)))
    yield from _twice(
        "assignment", ((("assignments", i), part.name) for i, part in enumerate(course.assignments))
    )
    yield from _twice("exercise", ((place, exercise.name) for place, exercise in _placed(course)))
    for place, exercise in _placed(course):
        for assignment in course.assignments:
            if exercise.name in assignment.name:
                yield Fault(
                    (*place, "name"),
                    f'the name is a part of the assignment\'s name "{assignment.name}"',
                    "Rename one of them, so that a search for the exercise finds nothing else",
                )


def _twice(what: str, named: Iterable[tuple[Place, str]]) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, name in named:
        if name in seen:
            yield Fault(place, f'the {what} "{name}" is declared twice', "Rename one of them")
        seen.add(name)


def _wrong_references(course: Course) -> Iterator[Fault]:
    """Outcomes, kinds and exercises that are named but not declared."""
    outcomes = [outcome.id for outcome in course.outcomes]
    names = [exercise.name for exercise in course.exercises]
    for kind, declared in course.kinds.items():
        yield from _unknown("kind", ("kinds", kind, "needs"), declared.needs, course.kinds)
    for i, track in enumerate(course.tracks):
        yield from _unknown("exercise", ("tracks", i, "exercises"), track.exercises, names)
    for place, exercise in _placed(course):
        yield from _unknown("outcome", (*place, "outcomes"), exercise.outcomes, outcomes)
        if exercise.judged >= exercise.points:
            what = f"{exercise.judged} of {exercise.points} points are judged, which leaves none to grade"
            yield Fault((*place, "judged"), what, "Lower judged, or raise points")
        for kind in exercise.shares or {}:
            if kind not in course.kinds:
                yield Fault((*place, "shares", kind), "there is no such kind", near(kind, course.kinds))


def _unknown(what: str, place: Place, used: Sequence[str], known: Iterable[str]) -> Iterator[Fault]:
    names = list(known)
    for i, name in enumerate(used):
        if name not in names:
            yield Fault((*place, i), f'there is no {what} "{name}"', near(name, names))


def _placed(course: Course) -> Iterator[tuple[Place, Exercise]]:
    for i, assignment in enumerate(course.assignments):
        for j, exercise in enumerate(assignment.exercises):
            yield ("assignments", i, "exercises", j), exercise
