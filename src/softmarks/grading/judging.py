"""Marks that a person gives: of answers in words, of what cannot be read, instead of a machine's. Pure.

What a machine found stays as it is; a person's marks are kept beside it and are put into it when it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from softmarks.course.faults import near
from softmarks.errors import UsageError
from softmarks.verdict import ExerciseVerdict, Outcome, Verdict


class Override(BaseModel):
    """Points that a person gave for an exercise, or for one check of it, why, and who."""

    model_config = ConfigDict(frozen=True)

    student: str
    exercise: str
    check: str = ""
    points: Decimal = Field(ge=0, decimal_places=2)
    reason: str = Field(min_length=1)
    by: str = Field(min_length=1)
    at: datetime

    @property
    def words(self) -> str:
        """It as a line of a report."""
        what = f"{self.check}: " if self.check else ""
        return f"{what}{self.points:.2f} points given by {self.by}: {self.reason}"


@dataclass(frozen=True)
class Open:
    """Something that waits for a person: what it is worth, what was written or why it could not be graded."""

    student: str
    exercise: str
    check: str
    max_points: Decimal
    text: str


def judged(verdict: Verdict, overrides: Sequence[Override]) -> Verdict:
    """A verdict with a person's marks in it; of several for the same thing, the last one counts."""
    own = [one for one in overrides if one.student == verdict.student]
    if not own:
        return verdict
    exercises = tuple(
        _judged(one, [each for each in own if each.exercise == one.exercise]) for one in verdict.exercises
    )
    return verdict.model_copy(update={"exercises": exercises})


def _judged(exercise: ExerciseVerdict, overrides: Sequence[Override]) -> ExerciseVerdict:
    last = {one.check: one for one in overrides}
    if not last:
        return exercise
    whole = last.pop("", None)
    checks = tuple(
        check.model_copy(update={"points": last[check.name].points}) if check.name in last else check
        for check in exercise.checks
    )
    waits = any(check.outcome is Outcome.NEEDS_A_PERSON and check.name not in last for check in checks)
    points, status = exercise.points, exercise.status
    if whole:
        points, status = whole.points, "graded"
    elif last and status in ("graded", "needs-a-person"):
        points = None if waits else sum((check.points for check in checks), Decimal("0.00"))
        status = "needs-a-person" if waits else "graded"
    told = [*([whole] if whole else []), *last.values()]
    note = "\n".join(filter(None, [exercise.note if points is None else "", *(one.words for one in told)]))
    return exercise.model_copy(update={"checks": checks, "points": points, "status": status, "note": note})


def waiting(verdicts: Sequence[Verdict], given: Sequence[Override]) -> Iterator[Open]:
    """What waits for a person: answers in words, and work that could not be graded, unless it has a mark."""
    done = {(one.student, one.exercise, one.check) for one in given}
    for verdict in verdicts:
        for exercise in verdict.exercises:
            address = verdict.student, exercise.exercise
            if (*address, "") in done:
                continue
            if exercise.status == "ungradable":
                yield Open(*address, "", exercise.max_points, exercise.note)
            for check in exercise.checks:
                if check.outcome is Outcome.NEEDS_A_PERSON and (*address, check.name) not in done:
                    yield Open(*address, check.name, check.max_points, check.answer)


def verdict_of(verdicts: Sequence[Verdict], student: str) -> Verdict:
    """A student's verdict. Raises UsageError, with near names, where there is none."""
    found = {verdict.student: verdict for verdict in verdicts}
    if student not in found:
        raise UsageError(f'there is no student "{student}" in these results', fix=near(student, found))
    return found[student]


def exercise_of(verdict: Verdict, name: str) -> ExerciseVerdict:
    """The verdict on one exercise. Raises UsageError, with near names, where there is none."""
    found = {one.exercise: one for one in verdict.exercises}
    if name not in found:
        raise UsageError(f'there is no exercise "{name}" in these results', fix=near(name, found))
    return found[name]


def refuse_nonsense(override: Override, verdicts: Sequence[Verdict]) -> None:
    """Raise UsageError, with near names, for what is not there, and for more points than there are."""
    exercise = exercise_of(verdict_of(verdicts, override.student), override.exercise)
    most = exercise.max_points
    if override.check:
        checks = {check.name: check for check in exercise.checks}
        if override.check not in checks:
            raise UsageError(
                f'there is no check "{override.check}" in {override.exercise}',
                fix=near(override.check, checks),
            )
        most = checks[override.check].max_points
    if override.points > most:
        raise UsageError(f"it is worth {most:.2f} points", fix=f"Give 0 to {most:.2f}")
