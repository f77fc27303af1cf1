"""Grade the graders: what a room promises, tried out.

The stub gets nothing, the reference and every alternative full marks, every misconception loses marks
within its band and is named, no answer without thought keeps much, and every check has a reason to be:
it alone catches some mistake, or it quotes the sentence of the statement that it enforces.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import program, read_sheet, right_answers
from softmarks.course.suites import read_suite
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


@dataclass(frozen=True)
class Seeds:
    """With how many run seeds right answers, and misconceptions, are tried; of these one in ``every``."""

    right: int
    wrong: int
    every: int = 1


QUICK, FULL = Seeds(right=1, wrong=1), Seeds(right=20, wrong=50)


@dataclass
class RoomAudit:
    """What was found in one room. ``faults`` is empty when the room keeps its promises."""

    exercise: str
    reference: Count = field(default_factory=Count)  # runs of the reference with full marks
    stub: Count = field(default_factory=Count)
    alternatives: Count = field(default_factory=Count)
    caught: Count = field(default_factory=Count)
    named: Count = field(default_factory=Count)
    in_band: Count = field(default_factory=Count)  # with every run seed
    trivial: Count = field(default_factory=Count)
    public: Count = field(default_factory=Count)  # runs of right answers that pass the public suite
    checks: Count = field(default_factory=Count)  # that alone catch a mistake, or quote what they enforce
    faults: list[str] = field(default_factory=list)


@dataclass
class _Audit:
    """One room under audit."""

    worker: Worker
    course: Course
    place: Room
    seeds: Seeds
    tell: Callable[[str], None]
    found: RoomAudit

    def mark(self, source: str, seed: int = 0) -> ExerciseVerdict:
        return self.worker.mark(self.place.exercise.name, [source], "hidden", seed)

    def begin(self, what: str) -> None:
        self.tell(f"{self.place.exercise.name}: {what}")


def audit_room(
    worker: Worker, course: Course, root: Path, exercise: Exercise, seeds: Seeds, tell: Callable[[str], None]
) -> RoomAudit:
    """Audit one room."""
    place = room(course, root, exercise.name)
    found = RoomAudit(exercise.name)
    audit = _Audit(worker, course, place, seeds, tell, found)
    parts = (_sheet,) if place.is_sheet else (_stub, _right_answers, _misconceptions, _trivial_answers)
    try:
        for part in parts:
            found.faults += [f"{place.address}: {fault}" for fault in part(audit)]
    except CourseError as error:  # a file that is missing: the room cannot be tried any further
        found.faults.append(str(error))
    return found


def audit_rooms(
    course: Course,
    root: Path,
    chosen: Sequence[Exercise],
    seeds: Seeds,
    workers: int,
    tell: Callable[[str], None],
) -> list[RoomAudit]:
    """Audit several rooms, at most ``workers`` at once, each with a worker of its own; in the order given."""
    with ExitStack() as stack:
        idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for _ in range(min(workers, len(chosen))):
            idle.put(stack.enter_context(Worker(root, "optional")))

        def one(exercise: Exercise) -> RoomAudit:
            worker = idle.get()
            try:
                return audit_room(worker, course, root, exercise, seeds, tell)
            finally:
                idle.put(worker)

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(one, chosen))


def _stub(audit: _Audit) -> Iterator[str]:
    audit.begin("stub")
    verdict = audit.mark(read_text(audit.place.stub))
    silent = all(check.outcome is not Outcome.GRADER_ERROR for check in verdict.checks)
    if not audit.found.stub.add(verdict.points == 0 and silent and bool(verdict.messages)):
        yield f"the stub gets {verdict.points} points{_why(verdict)}; it should get none, and be told so"


def _right_answers(audit: _Audit) -> Iterator[str]:
    found, place = audit.found, audit.place
    right = {"reference": place.reference()}
    right |= {path.stem: read_text(path) for path in place.alternatives}
    for answer, source in right.items():
        audit.begin(answer)
        count = found.reference if answer == "reference" else found.alternatives
        for seed in range(audit.seeds.right):
            verdict = audit.mark(source, seed)
            if not count.add(_perfect(verdict)):
                got = f"{verdict.points} of {verdict.max_points} (seed {seed})"
                yield f"{answer} is right but gets {got}{_why(verdict)}"
        public = audit.worker.mark(place.exercise.name, [source], "public")
        if not found.public.add(_perfect(public)):
            yield f"{answer} is right but fails the public suite"


def _misconceptions(audit: _Audit) -> Iterator[str]:
    found, place = audit.found, audit.place
    reference = place.reference()
    alone: set[str] = set()
    for position, mistake in enumerate(place.misconceptions()):
        audit.begin(mistake.id)
        source = mistake.apply(reference)
        verdict = audit.mark(source)
        failed = _failed(verdict)
        alone |= failed if len(failed) == 1 else set()
        if not _nameless(verdict) and not found.named.add(mistake.id in verdict.mistakes):
            yield f"misconception {mistake.id} is named {', '.join(verdict.mistakes) or 'nothing'}"
        kept = {0: _kept(verdict)}
        others = range(1, audit.seeds.wrong)
        if others and position % audit.seeds.every == 0:
            points = audit.worker.repeat(place.exercise.name, source, others)
            shares = [float(got / place.exercise.points) for got in points]
            kept |= dict(zip(others, shares, strict=True))
        missed = [seed for seed, share in kept.items() if share is None or share == 1]
        if not found.caught.add(not missed):
            yield f"misconception {mistake.id} is not caught{_with(missed)}{_why(verdict)}"
            continue
        low, high = mistake.keeps
        outside = {seed: share for seed, share in kept.items() if share is None or not low <= share <= high}
        if not found.in_band.add(not outside):
            kept_shares = " or ".join(sorted({f"{share:.2f}" for share in outside.values()}))
            yield (
                f"misconception {mistake.id} keeps {kept_shares} of the points, "
                f"not {low:.2f} to {high:.2f}{_with(outside)}"
            )
    for check in read_suite(place.hidden).checks:
        worthless = all(audit.course.kinds[kind].share == 0 for kind in check.marks)
        if not found.checks.add(check.name in alone or bool(check.enforces) or worthless):
            yield f"{check.name} is never the only check that a misconception fails, and quotes no sentence"


def _trivial_answers(audit: _Audit) -> Iterator[str]:
    reference = audit.place.reference()
    ceiling = Decimal(str(audit.course.audit.trivial_ceiling))
    for thoughtless in audit.place.trivial():
        audit.begin(thoughtless.id)
        kept = _kept(audit.mark(thoughtless.apply(reference)))
        if not audit.found.trivial.add(kept is not None and kept <= ceiling):
            yield f"trivial answer {thoughtless.id} keeps {kept:.2f} of the points, more than {ceiling}"


def _sheet(audit: _Audit) -> Iterator[str]:
    """A question sheet has no suite: every answer that can be given is tried."""
    found, sheet = audit.found, read_sheet(audit.place.sheet)
    right = right_answers(sheet)
    audit.begin("stub")
    verdict = audit.mark(read_text(audit.place.stub))
    if not found.stub.add(verdict.points == 0):
        yield f"the stub gets {verdict.points} points{_why(verdict)}; it should get none"
    verdict = audit.mark(program(sheet, right))
    fine = (Outcome.PASSED, Outcome.NEEDS_A_PERSON)
    if not found.reference.add(all(check.outcome in fine for check in verdict.checks)):
        yield f"the right answers do not pass{_why(verdict)}"
    for question in sheet.questions:
        audit.begin(question.id)
        for letter in question.wrong:
            verdict = audit.mark(program(sheet, {**right, question.id: letter}))
            mistake = f"{question.id}_{letter}"
            if not found.caught.add(_failed(verdict) == {question.id}):
                yield f"answer {mistake} is not caught{_why(verdict)}"
            if not found.named.add(verdict.mistakes == (mistake,)):
                yield f"answer {mistake} is named {', '.join(verdict.mistakes) or 'nothing'}"
    ceiling = Decimal(str(audit.course.audit.trivial_ceiling))
    for letter in sorted({letter for question in sheet.questions for letter in question.choices}):
        share = Decimal(sum(question.right == letter for question in sheet.questions)) / len(sheet.questions)
        if not found.trivial.add(share <= ceiling):
            yield f"{letter} everywhere is right for {share:.0%} of the questions, more than {ceiling:.0%}"


def _perfect(verdict: ExerciseVerdict) -> bool:
    return verdict.status == "graded" and all(check.outcome is Outcome.PASSED for check in verdict.checks)


def _failed(verdict: ExerciseVerdict) -> set[str]:
    fine = (Outcome.PASSED, Outcome.NOT_REACHED, Outcome.NEEDS_A_PERSON)
    return {check.name for check in verdict.checks if check.outcome not in fine}


def _kept(verdict: ExerciseVerdict) -> float | None:
    return None if verdict.points is None else float(verdict.points / verdict.max_points)


def _with(seeds: Collection[int]) -> str:
    """Which run seeds a fault shows with, where it is not the first alone."""
    return "" if list(seeds) == [0] else f" (seeds {', '.join(map(str, seeds))})"


def _nameless(verdict: ExerciseVerdict) -> bool:
    """Whether the answers are no numbers, and so have no name: NaN everywhere could be anybody's."""
    return not verdict.mistakes and any(check.outcome is Outcome.NOT_FINITE for check in verdict.checks)


def _why(verdict: ExerciseVerdict) -> str:
    if verdict.note:
        return f": {verdict.note}"
    failed = [check for check in verdict.checks if check.outcome is not Outcome.PASSED]
    return f": {failed[0].name} ({failed[0].message})" if failed else ""
