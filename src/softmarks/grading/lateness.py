"""What late work loses, and who is excused: from recorded facts and a policy, anew at every run. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from softmarks.course.course import Late
from softmarks.submission.exceptions import Exemption
from softmarks.submission.matching import plain_id
from softmarks.submission.roster import Student
from softmarks.verdict import ExerciseVerdict, HandedIn, Verdict

DAY = timedelta(days=1)
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Terms:
    """The policy, when what is due, and what was agreed with one student."""

    late: Late
    due: Mapping[str, datetime]  # by assignment
    free_days: int
    excused: Mapping[str, str] = field(default_factory=dict)  # the reason, by assignment


def terms_of(
    late: Late, due: Mapping[str, datetime], student: Student | None, exemptions: Sequence[Exemption]
) -> Terms:
    """What holds for a student of a roster; without one, what holds for everybody."""
    own = student.late_days if student else None
    terms = Terms(late, due, late.free_days if own is None else own)
    for one in exemptions if student else ():
        if plain_id(one.student_id) != plain_id(student.student_id if student else ""):
            continue
        if one.excused:
            terms = replace(terms, excused={**terms.excused, one.assignment: one.reason})
        elif one.new_due:
            terms = replace(terms, due={**terms.due, one.assignment: one.new_due})
        elif one.assignment in terms.due:
            longer = terms.due[one.assignment] + one.extra_days * DAY
            terms = replace(terms, due={**terms.due, one.assignment: longer})
    return terms


@dataclass(frozen=True)
class Delay:
    """How late one assignment is: days begun after it was due, and how many of them cost nothing."""

    days: int
    free: int

    def share(self, late: Late) -> Decimal:
        """What is left of the points, from 0 to 1."""
        if late.last_day is not None and self.days > late.last_day:
            return Decimal(0)
        return max(Decimal(0), 1 - late.per_day * (self.days - self.free))


def delays(handed_in: Mapping[str, HandedIn], terms: Terms) -> dict[str, Delay]:
    """The assignments that are late. Free days go to what was due first, as long as there are any."""
    left = terms.free_days
    found = {}
    for assignment in sorted(terms.due, key=lambda name: (terms.due[name], name)):
        if assignment not in handed_in or assignment in terms.excused:
            continue
        days = -((terms.due[assignment] - handed_in[assignment].at) // DAY)
        if days <= 0:
            continue
        expired = terms.late.last_day is not None and days > terms.late.last_day
        free = 0 if expired else min(left, days)
        left -= free
        found[assignment] = Delay(days, free)
    return found


def on_terms(verdict: Verdict, terms: Terms, given: Collection[str] = ()) -> Verdict:
    """A verdict with what late work loses, and without marks for what a student is excused from.

    ``given`` are exercises whose points a person has given: they stay.
    """
    late = delays(verdict.handed_in, terms)
    if not late and not terms.excused:
        return verdict

    def one(exercise: ExerciseVerdict) -> ExerciseVerdict:
        if exercise.exercise in given:
            return exercise
        if exercise.assignment in terms.excused:
            why = terms.excused[exercise.assignment]
            note = f"excused: {why}" if why else "excused"
            return exercise.model_copy(update={"status": "excused", "points": None, "note": note})
        delay = late.get(exercise.assignment)
        if delay is None or not exercise.points:
            return exercise
        points = (exercise.points * delay.share(terms.late)).quantize(CENT, ROUND_HALF_EVEN)
        note = "\n".join(filter(None, [exercise.note, _words(exercise.points, points, delay)]))
        return exercise.model_copy(update={"points": points, "note": note})

    return verdict.model_copy(update={"exercises": tuple(map(one, verdict.exercises))})


def _words(before: Decimal, after: Decimal, delay: Delay) -> str:
    days = f"{delay.days} day{'s' if delay.days > 1 else ''} late"
    free = f", {delay.free} of them free" if delay.free else ""
    if before == after:
        return f"{days}{free}: no points lost"
    return f"{days}{free}: {after:.2f} of {before:.2f} points count"
