"""Two gradings of the same class: whose marks differ, and why. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from pydantic import BaseModel, ConfigDict

from softmarks.grading.dependence import changed
from softmarks.verdict import ExerciseVerdict, Verdict


class Change(BaseModel):
    """A mark that is another one now. None is no mark."""

    model_config = ConfigDict(frozen=True)

    student: str
    exercise: str
    before: Decimal | None
    now: Decimal | None
    why: str

    @property
    def lower(self) -> bool:
        """Whether the student loses by it."""
        return self.before is not None and (self.now is None or self.now < self.before)


def changes(before: Mapping[str, Verdict], now: Sequence[Verdict]) -> list[Change]:
    """The marks that differ, by student and exercise; new students and exercises have no earlier mark."""
    return [change for verdict in now for change in _changes(before.get(verdict.student), verdict)]


def _changes(before: Verdict | None, now: Verdict) -> Iterator[Change]:
    earlier = {one.exercise: one for one in before.exercises} if before else {}
    for exercise in now.exercises:
        old = earlier.get(exercise.exercise)
        if old is None or old.points != exercise.points:
            yield Change(
                student=now.student,
                exercise=exercise.exercise,
                before=old.points if old else None,
                now=exercise.points,
                why=_why(old, exercise),
            )


def _why(old: ExerciseVerdict | None, new: ExerciseVerdict) -> str:
    if old is None:
        return "was not graded before"
    if old.status != new.status:
        return f"{old.status} before, {new.status} now"
    if old.key and old.key == new.key:
        return "when it was handed in, the policy, or what was agreed"
    return changed(old.key, new.key) or "it is not recorded what the earlier mark depended on"


def never_lower(before: Mapping[str, Verdict], now: Verdict) -> Verdict:
    """A verdict in which each exercise keeps its earlier mark where that was higher; the note says so."""
    earlier = {one.exercise: one for one in before[now.student].exercises} if now.student in before else {}

    def better(new: ExerciseVerdict) -> ExerciseVerdict:
        old = earlier.get(new.exercise)
        if old is None or old.points is None or (new.points is not None and new.points >= old.points):
            return new
        would = "no mark" if new.points is None else f"{new.points:.2f} points"
        return old.model_copy(
            update={"note": f"The mark of before is kept; graded again it would be {would}."}
        )

    return now.model_copy(update={"exercises": tuple(better(one) for one in now.exercises)})
