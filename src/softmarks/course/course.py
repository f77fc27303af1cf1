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

    id: Slug = Field(description="what exercises name it by; `grades.csv` has a column `outcome:ID`")
    says: Text = Field(description="the sentence that students and teachers read")
    source: Text = Field(description="the chapter, section or lecture that teaches it")


class Track(_Part):
    """One way through the course: some of its exercises. ``softmarks start`` asks which to take."""

    id: Slug = Field(description="what `softmarks start --track` names it by")
    says: Text = Field(description="the sentence that students choose by")
    exercises: tuple[str, ...] = Field(
        min_length=1, description="names of exercises; students see them in the order of the course"
    )


class Kind(_Part):
    """A kind of checks. The kinds that occur in a suite share the exercise's points."""

    says: Text = Field(description="what its checks look at, in a sentence; `pytest --markers` lists it")
    share: Share = Field(
        description="its weight beside the other kinds of a suite; 0: its checks are shown and worth nothing"
    )
    needs: tuple[str, ...] = Field(
        default=(),
        description="kinds whose checks must pass for one of this kind to count, unless the check itself "
        "names what it needs",
    )


class Limits(_Part):
    """What one check of a student's program may use."""

    cpu_seconds: Annotated[float, Number, Field(gt=0, le=3600)] = Field(
        description="computing time, not waiting time: a busy machine fails nobody"
    )
    memory_mb: Whole = Field(description="memory in MiB, beside what Python and the packages take")


class Late(_Part):
    """What late work loses, where an assignment has a ``due``."""

    per_day: Annotated[Decimal, Number, Field(ge=0, le=1, allow_inf_nan=False)] = Field(
        default=Decimal(0), description="the share of its points that each day begun after `due` takes"
    )
    free_days: Annotated[int, Field(strict=True, ge=0, le=365)] = Field(
        default=0,
        description="days that each student may be late over the whole course without a loss, as whole days",
    )
    last_day: Annotated[int, Field(strict=True, ge=0, le=365)] | None = Field(
        default=None,
        description="work that is more days late, free ones too, is worth nothing; without it, work never "
        "expires",
    )


class AuditBars(_Part):
    """What ``softmarks audit`` asks: ``trivial_ceiling`` of each answer, the others of all rooms together."""

    trivial_ceiling: Bar = Field(
        default=0.2, description="the share of an exercise's points that an answer without thought may keep"
    )
    named: Bar = Field(
        default=0.95,
        description="of all misconceptions, how many are named as what they are, and nothing else",
    )
    pairs_caught: Bar = Field(
        default=0.99, description="of all pairs of misconceptions that were tried, how many are caught"
    )
    pairs_sound: Bar = Field(
        default=0.98, description="of the pairs that are caught, of how many nothing untrue is told"
    )
    pairs_exact: Bar = Field(
        default=0.6, description="of the pairs that are caught, of how many both are told"
    )
    mutants: Bar = Field(
        default=0.95,
        description="of the machine-made mutants of all solutions, how many lose points; one that "
        "`equivalents.yml` explains does not",
    )


class Exercise(_Part):
    """One exercise: a program, or a question sheet. Students see them in the order of the file."""

    name: Module = Field(
        description="the name of its file and its folder, and on the command line; no part of an "
        "assignment's name, and no package's"
    )
    assignment: str = Field(default="", description="filled in: the assignment that it stands in")
    title: Text = Field(description="the heading that students read")
    minutes: Whole = Field(description="how long it takes, as students are told")
    difficulty: Annotated[int, Field(strict=True, ge=1, le=5)] = Field(
        description="how hard it is, as students are told"
    )
    outcomes: tuple[str, ...] = Field(min_length=1, description="ids of the learning outcomes it teaches")
    points: Annotated[Decimal, Number, Field(gt=0, decimal_places=2, allow_inf_nan=False)] = Field(
        description="what it is worth, with two decimals at most"
    )
    judged: Annotated[Decimal, Number, Field(ge=0, decimal_places=2, allow_inf_nan=False)] = Field(
        default=Decimal(0),
        description="of its points, those that a person gives for answers in words: fewer than all, and for "
        "question sheets alone",
    )
    bonus: Annotated[bool, Field(strict=True)] = Field(
        default=False,
        description='a label: "(bonus)" stands beside its title, and a learner masters an outcome without '
        "it; its points count in the maximum like any other",
    )
    answers: tuple[Name, ...] = Field(
        min_length=1,
        description="names that a submission must define; of a question sheet, `ANSWERS` and, with answers "
        "in words, `FREE_ANSWERS`",
    )
    shares: dict[str, Share] | None = Field(
        default=None,
        description="weights of kinds, by their names, in the place of the course's; other kinds keep theirs",
    )
    limits: Limits | None = Field(
        default=None, description="limits of this exercise, both of them, in the place of the course's"
    )


class Assignment(_Part):
    """Exercises that are handed in together, until ``due``."""

    name: Folder = Field(description="the name of its folder in each tree; begin it with a number")
    title: Text = Field(description="the heading that students read")
    due: Due | None = Field(
        default=None, description="when it is to be handed in; without it, nothing of it is late"
    )
    exercises: tuple[Exercise, ...] = Field(min_length=1, description="its exercises, in their order")

    @field_validator("exercises")
    @classmethod
    def _tell_exercises(cls, exercises: tuple[Exercise, ...], info: ValidationInfo) -> tuple[Exercise, ...]:
        name = info.data.get("name", "")
        return tuple(exercise.model_copy(update={"assignment": name}) for exercise in exercises)


class Course(_Part):
    """A whole course, as written in its ``course.yml``."""

    id: Slug = Field(
        description="the course's name in file names, verdicts and the folder that `softmarks start` writes"
    )
    title: Text = Field(description="the heading that students and teachers read")
    version: Text = Field(
        description='shown, and kept with each verdict and in `course.lock`; in quotes, as `"0.1"` is a '
        "text and no number"
    )
    status: Literal["draft", "released"] = Field(
        description='`draft` while exercises may change: "(draft)" then stands beside the version'
    )
    packages: tuple[str, ...] = Field(
        default=(), description="what a program may import besides Python's standard library and given code"
    )
    axes: tuple[str, ...] = Field(
        default=(), description="how messages name the dimensions of a tensor, counted from the last"
    )
    limits: Limits = Field(description="what one check of a student's program may use")
    feedback: Literal["all", "mistake", "outcomes"] = Field(
        description="what students are told after a hidden suite: `all` says each check's message, `mistake` "
        "the mistake's name and its hint, `outcomes` whether each check passed"
    )
    name_mistakes: Annotated[bool, Field(strict=True)] = Field(
        default=True, description="whether students are told which known mistake their program makes"
    )
    late: Late = Field(default=Late(), description="what late work loses")
    audit: AuditBars = Field(default=AuditBars(), description="what `softmarks audit` asks")
    kinds: dict[Module, Kind] = Field(
        min_length=1,
        description="kinds of checks by their names, which suites write as marks; a mark of pytest's own is "
        "no name",
    )
    outcomes: tuple[LearningOutcome, ...] = Field(
        min_length=1, description="what a student can do afterwards"
    )
    tracks: tuple[Track, ...] = Field(default=(), description="ways through the course")
    assignments: tuple[Assignment, ...] = Field(min_length=1, description="the course, in its order")

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
