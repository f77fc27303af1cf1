"""Grade the graders: what a room promises, tried out.

The stub gets nothing, the reference and every alternative full marks, every misconception loses marks
within its band and is named, no answer without thought keeps much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import Room, room
from softmarks.course.text import read_text
from softmarks.errors import CourseError
from softmarks.grading.workers import Worker
from softmarks.verdict import ExerciseVerdict, Outcome


@dataclass
class Count:
    """How many of ``total`` are as they should be."""

    good: int = 0
    total: int = 0

    def add(self, good: bool) -> bool:
        """Count one; return whether it is good."""
        self.total += 1
        self.good += good
        return good

    def __str__(self) -> str:
        return f"{self.good}/{self.total}"


@dataclass
class RoomAudit:
    """What was found in one room. ``faults`` is empty when the room keeps its promises."""

    exercise: str
    reference: Count = field(default_factory=Count)  # runs of the reference with full marks
    stub: Count = field(default_factory=Count)
    alternatives: Count = field(default_factory=Count)
    caught: Count = field(default_factory=Count)
    named: Count = field(default_factory=Count)
    in_band: Count = field(default_factory=Count)
    trivial: Count = field(default_factory=Count)
    public: Count = field(default_factory=Count)  # runs of right answers that pass the public suite
    faults: list[str] = field(default_factory=list)


def audit_room(
    worker: Worker, course: Course, root: Path, exercise: Exercise, seeds: int, tell: Callable[[str], None]
) -> RoomAudit:
    """Audit one room; right answers run with ``seeds`` different run seeds."""
    place = room(course, root, exercise.name)
    found = RoomAudit(exercise.name)
    try:
        for fault in _faults(worker, course, place, found, seeds, tell):
            found.faults.append(f"{place.address}: {fault}")
    except CourseError as error:  # a file that is missing: the room cannot be tried any further
        found.faults.append(str(error))
    return found


def _faults(
    worker: Worker, course: Course, place: Room, found: RoomAudit, seeds: int, tell: Callable[[str], None]
) -> Iterator[str]:
    reference, name = place.reference(), place.exercise.name

    def mark(source: str, seed: int = 0) -> ExerciseVerdict:
        return worker.mark(name, [source], "hidden", seed)

    tell(f"{name}: stub")
    verdict = mark(read_text(place.stub))
    silent = verdict.points == 0 and all(
        check.outcome is not Outcome.GRADER_ERROR for check in verdict.checks
    )
    if not found.stub.add(silent and bool(verdict.messages)):
        yield f"the stub gets {verdict.points} points{_why(verdict)}; it should get none, and be told so"
    right = {"reference": reference}
    right |= {path.stem: read_text(path) for path in place.alternatives}
    for answer, source in right.items():
        tell(f"{name}: {answer}")
        count = found.reference if answer == "reference" else found.alternatives
        for seed in range(seeds):
            verdict = mark(source, seed)
            if not count.add(_perfect(verdict)):
                got = f"{verdict.points} of {verdict.max_points} (seed {seed})"
                yield f"{answer} is right but gets {got}{_why(verdict)}"
        if not found.public.add(_perfect(worker.mark(name, [source], "public"))):
            yield f"{answer} is right but fails the public suite"
    for mistake in place.misconceptions():
        tell(f"{name}: {mistake.id}")
        verdict = mark(mistake.apply(reference))
        kept = _kept(verdict)
        low, high = mistake.keeps
        if not found.caught.add(kept is not None and kept < 1):
            yield f"misconception {mistake.id} is not caught{_why(verdict)}"
        elif not found.in_band.add(low <= float(kept or 0) <= high):
            share = f"{float(kept or 0):.2f} of the points, not {low:.2f} to {high:.2f}"
            yield f"misconception {mistake.id} keeps {share}"
        if _nameless(verdict):
            continue
        if not found.named.add(mistake.id in verdict.mistakes):
            yield f"misconception {mistake.id} is named {', '.join(verdict.mistakes) or 'nothing'}"
    ceiling = Decimal(str(course.audit.trivial_ceiling))
    for thoughtless in place.trivial():
        tell(f"{name}: {thoughtless.id}")
        verdict = mark(thoughtless.apply(reference))
        kept = _kept(verdict)
        if not found.trivial.add(kept is not None and kept <= ceiling):
            yield f"trivial answer {thoughtless.id} keeps {kept:.2f} of the points, more than {ceiling}"


def _perfect(verdict: ExerciseVerdict) -> bool:
    return verdict.status == "graded" and all(check.outcome is Outcome.PASSED for check in verdict.checks)


def _kept(verdict: ExerciseVerdict) -> Decimal | None:
    return None if verdict.points is None else verdict.points / verdict.max_points


def _nameless(verdict: ExerciseVerdict) -> bool:
    """Whether the answers are no numbers, and so have no name: NaN everywhere could be anybody's."""
    return not verdict.mistakes and any(check.outcome is Outcome.NOT_FINITE for check in verdict.checks)


def _why(verdict: ExerciseVerdict) -> str:
    if verdict.note:
        return f": {verdict.note}"
    failed = [check for check in verdict.checks if check.outcome is not Outcome.PASSED]
    return f": {failed[0].name} ({failed[0].message})" if failed else ""
