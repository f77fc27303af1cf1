"""What a class's verdicts add up to: columns, means, frequent mistakes, and what deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from statistics import median

from softmarks.course.course import Course
from softmarks.reporting.wording import STATUS_WORDS, in_points
from softmarks.verdict import ExerciseVerdict, Outcome, Verdict

WORTH_A_LOOK = {
    Outcome.TIMED_OUT: "ran out of time",
    Outcome.OUT_OF_MEMORY: "ran out of memory",
    Outcome.EXITED: "left the program",
    Outcome.KILLED: "crashed the program",
    Outcome.FLOODED: "printed or sent too much",
    Outcome.NEEDS_A_PERSON: "waits for a person",
    Outcome.GRADER_ERROR: "the grader itself failed",
}
UNJUDGED = (Outcome.NOT_REACHED, Outcome.MISSING, Outcome.NEEDS_A_PERSON, Outcome.GRADER_ERROR)
WITHOUT_A_MARK = {"ungradable": "ungradable", "grader-error": "grader error", "missing": "missing"}


@dataclass(frozen=True)
class Column:
    """One exercise across the class."""

    exercise: str
    assignment: str
    title: str
    max_points: Decimal
    mean: Decimal | None  # over those who have a mark


@dataclass(frozen=True)
class Mistake:
    """A named mistake and how many students made it."""

    exercise: str
    name: str
    says: str
    students: int


@dataclass(frozen=True)
class HardCheck:
    """A check, and how many of those whose work it judged did not pass it."""

    exercise: str
    says: str
    failed: int
    judged: int


@dataclass(frozen=True)
class Mastery:
    """A learning outcome across the class: the share of its exercises' points, a student and in the mean."""

    says: str
    shares: tuple[Decimal | None, ...]  # of each verdict; None where no exercise has a mark
    mean: Decimal | None


@dataclass(frozen=True)
class Attained:
    """What one student has of a learning outcome: points of those of its exercises that have a mark."""

    says: str
    points: Decimal
    max_points: Decimal  # 0: no exercise has a mark


@dataclass(frozen=True)
class Distribution:
    """How many students have which share of the points of what has a mark."""

    tenths: tuple[int, ...]  # from 0 to under 10 percent, up to 90 to 100 percent
    mean: Decimal
    median: Decimal
    unmarked: int  # students without any mark


@dataclass(frozen=True)
class Case:
    """One student's exercises that deserve a look for the same reason."""

    student: str
    exercises: tuple[str, ...]
    why: str


def mean(points: Sequence[Decimal]) -> Decimal | None:
    """The mean in whole cents; None of nothing."""
    if not points:
        return None
    return (sum(points, Decimal(0)) / len(points)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


def by_exercise(verdict: Verdict) -> dict[str, ExerciseVerdict]:
    """A verdict's exercises by their names."""
    return {exercise.exercise: exercise for exercise in verdict.exercises}


def columns(verdicts: Sequence[Verdict]) -> list[Column]:
    """The exercises that occur, in the order in which they first do."""
    seen: dict[str, list[ExerciseVerdict]] = {}
    for verdict in verdicts:
        for exercise in verdict.exercises:
            seen.setdefault(exercise.exercise, []).append(exercise)
    return [
        Column(
            exercise=name,
            assignment=found[0].assignment,
            title=found[0].title,
            max_points=found[0].max_points,
            mean=mean([each.points for each in found if each.points is not None]),
        )
        for name, found in seen.items()
    ]


def complete(verdict: Verdict) -> bool:
    """Whether every exercise has a mark, so that the total is one."""
    return all(exercise.points is not None for exercise in verdict.exercises)


def total_mean(verdicts: Sequence[Verdict]) -> Decimal | None:
    """The mean total of the students whose every exercise has a mark."""
    return mean([verdict.points for verdict in verdicts if complete(verdict)])


def total_cell(verdict: Verdict) -> str:
    """What stands in the table as a total: points, with a star where some work has no mark."""
    if all(exercise.points is None for exercise in verdict.exercises):
        return "–"
    return in_points(verdict.points) + ("" if complete(verdict) else "*")


def distribution(verdicts: Sequence[Verdict]) -> Distribution | None:
    """The students by their share of the points of what has a mark; None where nothing has one."""
    shares = [share(verdict, by_exercise(verdict)) for verdict in verdicts]
    known = [one for one in shares if one is not None]
    if not known:
        return None
    tenths = Counter(min(9, max(0, int(10 * one))) for one in known)
    return Distribution(
        tenths=tuple(tenths[tenth] for tenth in range(10)),
        mean=sum(known, Decimal(0)) / len(known),
        median=median(known),
        unmarked=len(shares) - len(known),
    )


def cell(exercise: ExerciseVerdict | None) -> str:
    """What stands in the table: points, or one short word."""
    if exercise is None:
        return "–"
    if exercise.status == "missing" or exercise.points is None:
        return STATUS_WORDS.get(exercise.status, "no mark")
    return in_points(exercise.points)


def frequent_mistakes(verdicts: Sequence[Verdict]) -> list[Mistake]:
    """The named mistakes, the most frequent first; each student counts once."""
    students: Counter[tuple[str, str]] = Counter()
    says: dict[tuple[str, str], str] = {}
    for verdict in verdicts:
        for exercise in verdict.exercises:
            students.update({(exercise.exercise, name) for name in exercise.mistakes})
            for message in exercise.messages:
                if message.mistake:
                    says.setdefault((exercise.exercise, message.mistake), message.says)
    ranked = sorted(students.items(), key=lambda item: (-item[1], item[0]))
    return [
        Mistake(exercise, name, says.get((exercise, name), ""), count) for (exercise, name), count in ranked
    ]


def hardest_checks(verdicts: Sequence[Verdict], most: int = 10) -> list[HardCheck]:
    """The checks that the largest part of those failed whom they judged, the hardest first."""
    judged: Counter[tuple[str, str]] = Counter()
    failed: Counter[tuple[str, str]] = Counter()
    for verdict in verdicts:
        for exercise in verdict.exercises:
            for check in exercise.checks:
                if check.max_points and check.outcome not in UNJUDGED:
                    judged[exercise.exercise, check.says] += 1
                    failed[exercise.exercise, check.says] += check.outcome is not Outcome.PASSED
    found = [HardCheck(*one, failed[one], judged[one]) for one in judged if failed[one]]
    return sorted(found, key=lambda one: (-one.failed / one.judged, -one.failed, one.exercise))[:most]


def taught(course: Course) -> dict[str, set[str]]:
    """The exercises that teach each learning outcome, by its id, in the order of the course."""
    found = {
        outcome.id: {exercise.name for exercise in course.exercises if outcome.id in exercise.outcomes}
        for outcome in course.outcomes
    }
    return {outcome: names for outcome, names in found.items() if names}


def mastery(verdicts: Sequence[Verdict], course: Course) -> list[Mastery]:
    """How far the class has come in each learning outcome that was graded, in the order of the course."""
    found = []
    says = {outcome.id: outcome.says for outcome in course.outcomes}
    for outcome, names in taught(course).items():
        shares = tuple(share(verdict, names) for verdict in verdicts)
        known = [one for one in shares if one is not None]
        if known:
            found.append(Mastery(says[outcome], shares, mean(known)))
    return found


def attained(verdict: Verdict, course: Course) -> list[Attained]:
    """What a student has of each learning outcome that the exercises of this grading teach."""
    found = []
    says = {outcome.id: outcome.says for outcome in course.outcomes}
    for outcome, names in taught(course).items():
        if names & by_exercise(verdict).keys():
            found.append(Attained(says[outcome], *_points(verdict, names)))
    return found


def share(verdict: Verdict, names: Collection[str]) -> Decimal | None:
    """The share of the points that a student has in some exercises; what is missing counts as none.

    What has no mark is left out. None where nothing has one.
    """
    points, most = _points(verdict, names)
    return points / most if most else None


def _points(verdict: Verdict, names: Collection[str]) -> tuple[Decimal, Decimal]:
    """The points that a student has in some exercises, and those to be had, in what has a mark."""
    marked = [
        (one.points, one.max_points)
        for one in verdict.exercises
        if one.exercise in names and one.points is not None
    ]
    return (
        sum((points for points, _ in marked), Decimal(0)),
        sum((most for _, most in marked), Decimal(0)),
    )


def worth_a_look(verdicts: Sequence[Verdict]) -> dict[str, list[Case]]:
    """Hangs, crashes and the like in words, each with the students whom it concerns."""
    found = {
        words: _cases(verdicts, partial(_ended, outcome=outcome)) for outcome, words in WORTH_A_LOOK.items()
    }
    return {words: cases for words, cases in found.items() if cases}


def without_a_mark(verdicts: Sequence[Verdict]) -> dict[str, list[Case]]:
    """Work that is ungradable, met a grader error, or is missing, each with its note."""
    found = {
        words: _cases(verdicts, partial(_stands, status=status)) for status, words in WITHOUT_A_MARK.items()
    }
    return {words: cases for words, cases in found.items() if cases}


def _ended(exercise: ExerciseVerdict, outcome: Outcome) -> bool:
    if exercise.status in WITHOUT_A_MARK:
        return False
    if outcome is Outcome.NEEDS_A_PERSON and exercise.status == "needs-a-person":
        return True
    return any(check.outcome is outcome for check in exercise.checks)


def _stands(exercise: ExerciseVerdict, status: str) -> bool:
    return exercise.status == status


def _cases(verdicts: Sequence[Verdict], concerns: Callable[[ExerciseVerdict], bool]) -> list[Case]:
    exercises: dict[tuple[int, str], list[str]] = {}
    for position, verdict in enumerate(verdicts):
        for exercise in verdict.exercises:
            if concerns(exercise):
                exercises.setdefault((position, exercise.note), []).append(exercise.exercise)
    return [Case(verdicts[row].student, tuple(names), why) for (row, why), names in exercises.items()]
