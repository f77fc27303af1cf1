"""What a grading says: outcomes, checks, messages, marks. Plain data; knows neither torch nor pytest.

Points are exact. `deal` hands an exercise's total out to its checks in whole cents, once; after
that marks are sums of cents, so columns add up in print and full marks mean that nothing failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer

SCHEMA_VERSION = 1

Points = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


class Outcome(StrEnum):
    """How one check ended."""

    PASSED = "passed"
    WRONG_VALUE = "wrong-value"
    WRONG_SHAPE = "wrong-shape"
    WRONG_DTYPE = "wrong-dtype"
    WRONG_DEVICE = "wrong-device"
    NOT_FINITE = "not-finite"
    INPUT_MODIFIED = "input-modified"
    RAISED = "raised"
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    EXITED = "exited"
    KILLED = "killed"
    FLOODED = "flooded"
    MISSING = "missing"
    NOT_REACHED = "not-reached"
    NEEDS_A_PERSON = "needs-a-person"
    GRADER_ERROR = "grader-error"


Suite = Literal["public", "hidden"]
Status = Literal["graded", "missing", "ungradable", "needs-a-person", "grader-error", "excused"]
Clock = Literal["lms", "exchange", "manifest", "file"]  # who says when work was handed in


class Frozen(BaseModel):
    """Base of all records: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(Frozen):
    """One check of an exercise: a test function with all its parameter cases."""

    name: str
    kind: str
    says: str  # the rule in words: the first line of the test's docstring
    outcome: Outcome
    points: Points
    max_points: Points
    message: str = ""  # "" when passed
    answer: str = ""  # what was written, where a person reads it


class Message(Frozen):
    """One thing to repair, told once, however many checks it fails."""

    mistake: str | None  # the id of the misconception, when it was recognised
    checks: tuple[str, ...]  # the failed checks that it explains
    failed: int  # how many checks failed in all
    asked: str  # what the check called: names and sizes
    difference: str  # where the first difference is, and what the student's own code gave there
    says: str  # the sentence that names the mistake, or says what is known
    hint: str  # what to read or run next
    printed: str = ""  # the student's last printed lines
    sure: bool = True  # whether the mistake is really there, or what is seen only looks like it


class ExerciseVerdict(Frozen):
    """The verdict on one exercise of one submission."""

    exercise: str
    assignment: str
    title: str
    status: Status
    points: Points | None  # None: not gradable, or not graded by us; never a silent zero
    max_points: Points
    checks: tuple[Check, ...] = ()
    mistakes: tuple[str, ...] = ()  # the ids of those that are surely there
    messages: tuple[Message, ...] = ()
    repairs: tuple[str, ...] = ()
    note: str = ""  # one line for a person: why there is no mark, why the work is missing
    confined: bool = False
    confinement: str = "none"
    suite: Suite = "hidden"
    held_back: str = ""  # in a student edition: which checks are not there, and run when work is handed in
    seed: int = 0
    key: str = ""  # what the verdict depends on: the same key, the same verdict

    @property
    def full_marks(self) -> bool:
        return self.points is not None and self.points == self.max_points

    @property
    def all_right(self) -> bool:
        """Whether nothing failed, as far as a machine can tell: what a person reads may still be open."""
        fine = (Outcome.PASSED, Outcome.NEEDS_A_PERSON)
        return bool(self.checks) and all(check.outcome in fine for check in self.checks)

    @property
    def untouched(self) -> bool:
        """Whether nothing has been written: the checks found a stub, all of them."""
        silent = (Outcome.MISSING, Outcome.NOT_REACHED)
        return bool(self.checks) and all(check.outcome in silent for check in self.checks)


class HandedIn(Frozen):
    """When an assignment was handed in, and who says so."""

    at: datetime
    clock: Clock


class Verdict(Frozen):
    """The verdict on one student's submission."""

    schema_version: int = SCHEMA_VERSION
    student: str
    course: str
    course_version: str
    engine_version: str
    graded_at: datetime
    origin: str = ""
    repairs: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()  # files that belong to no exercise
    handed_in: dict[str, HandedIn] = {}  # by assignment, where anybody says it
    exercises: tuple[ExerciseVerdict, ...] = ()

    @property
    def points(self) -> Decimal:
        """What the graded exercises add up to."""
        return sum((e.points for e in self.exercises if e.points is not None), Decimal("0.00"))

    @property
    def max_points(self) -> Decimal:
        return sum((e.max_points for e in self.exercises if e.status != "excused"), Decimal("0.00"))


def deal(total: Decimal, kinds: Mapping[str, str], shares: Mapping[str, Fraction]) -> dict[str, Decimal]:
    """Hand out ``total`` points to checks, in whole cents that add up to it exactly.

    ``kinds`` maps a check's name to its kind, ``shares`` a kind to its weight. The kinds that occur
    divide the total by their shares, the checks of a kind divide it equally; left-over cents go
    to the largest remainders, the earlier check first. A kind of share 0 is worth nothing. Raises
    ValueError when no check is worth anything, or when one that should be worth something gets no cent.
    """
    members: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if shares[kind] > 0:
            members.setdefault(kind, []).append(name)
    whole = sum((shares[kind] for kind in members), Fraction(0))
    if not whole:
        raise ValueError("no check is worth anything")
    cents = Fraction(total) * 100
    exact = {
        name: cents * shares[kind] / whole / len(members[kind])
        for name, kind in kinds.items()
        if kind in members
    }
    dealt = {name: int(share) for name, share in exact.items()}
    left = int(cents) - sum(dealt.values())
    by_remainder = sorted(exact, key=lambda name: dealt[name] - exact[name])  # sorted() is stable
    for name in by_remainder[:left]:
        dealt[name] += 1
    for name, amount in dealt.items():
        if not amount:
            raise ValueError(f"{total} points are too few: {name} would be worth nothing")
    return {name: Decimal(dealt.get(name, 0)).scaleb(-2) for name in kinds}


def blocked(outcomes: Mapping[str, Outcome], needs: Mapping[str, Sequence[str]]) -> set[str]:
    """The checks that do not count because one that they need, at any remove, did not pass."""
    found: set[str] = set()
    pending = list(outcomes)
    changed = True
    while changed:
        changed = False
        for name in pending:
            if name in found:
                continue
            for parent in needs.get(name, ()):
                if parent in found or outcomes[parent] is not Outcome.PASSED:
                    found.add(name)
                    changed = True
                    break
    return found
