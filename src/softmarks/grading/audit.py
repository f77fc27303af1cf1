"""Grade the graders: what a room promises, tried out.

The stub gets nothing, the reference and every alternative full marks with every run seed, every misconception
loses marks within its band and is named, two at once are caught and told soundly, no answer without thought
keeps much, machine-made mutants are killed or explained, and every check has a reason to be: it alone catches
some mistake, or it quotes the sentence of the statement that it enforces.
"""

from __future__ import annotations

import queue
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import program, read_sheet, right_answers
from softmarks.course.suites import read_suite
from softmarks.course.text import read_text
from softmarks.errors import SoftmarksError
from softmarks.grading.account import REFERENCE
from softmarks.grading.audited import CheckFound, Count, MistakeFound, RoomAudit, Survivor
from softmarks.grading.mutants import mutants
from softmarks.grading.record import Case
from softmarks.grading.workers import Worker
from softmarks.verdict import ExerciseVerdict, Outcome, Suite


@dataclass(frozen=True)
class Effort:
    """How much is tried.

    Run seeds of ``right`` answers, of the ``reference`` and of ``wrong`` ones; that many ``pairs`` of
    misconceptions, drawn from all, the same in every audit.
    """

    right: int
    reference: int
    wrong: int
    pairs: int = 0
    mutants: bool = False


QUICK = Effort(right=1, reference=1, wrong=1)
FULL = Effort(right=20, reference=200, wrong=50, pairs=40, mutants=True)
BATCH = 20  # programs that a worker is given at once


def at_most(effort: Effort, seeds: int) -> Effort:
    """The same with at most so many run seeds for each program."""
    fewer = {name: min(seeds, getattr(effort, name)) for name in ("right", "reference", "wrong")}
    return replace(effort, **fewer)


@dataclass
class _Audit:
    """One room under audit."""

    worker: Worker
    course: Course
    place: Room
    effort: Effort
    tell: Callable[[str], None]
    found: RoomAudit

    @property
    def name(self) -> str:
        return self.place.exercise.name

    @cached_property
    def fares(self) -> dict[str, list[Case]]:
        """The cases of the reference and of each misconception."""
        return self.worker.fares(self.name)

    def mark(self, source: str) -> ExerciseVerdict:
        return self.worker.mark(self.name, [source])

    def shares(self, programs: Sequence[tuple[str, int]]) -> list[float | None]:
        """The shares of the points that authored programs keep, each with a run seed."""
        found: list[float | None] = []
        for start in range(0, len(programs), BATCH):
            points = self.worker.points(self.name, programs[start : start + BATCH])
            found += [None if got is None else float(got / self.place.exercise.points) for got in points]
        return found

    def begin(self, what: str) -> None:
        self.tell(f"{self.name}: {what}")


def audit_room(
    worker: Worker,
    course: Course,
    root: Path,
    exercise: Exercise,
    effort: Effort,
    tell: Callable[[str], None],
) -> RoomAudit:
    """Audit one room."""
    place = room(course, root, exercise.name)
    found = RoomAudit(exercise=exercise.name, points=float(exercise.points))
    audit = _Audit(worker, course, place, effort, tell, found)
    trials = (_stub, _right_answers, _misconceptions, _checks, _pairs, _trivial_answers, _mutants)
    parts = (_sheet,) if place.is_sheet else trials
    try:
        for part in parts:
            found.faults += [f"{place.address}: {fault}" for fault in part(audit)]
    except SoftmarksError as error:  # a file is missing or broken: the room cannot be tried any further
        if not worker.alive:
            raise
        found.faults.append(str(error))
    return found


def audit_rooms(
    course: Course,
    root: Path,
    chosen: Sequence[Exercise],
    effort: Effort,
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
                return audit_room(worker, course, root, exercise, effort, tell)
            finally:
                idle.put(worker)

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(one, chosen))


def _stub(audit: _Audit) -> Iterator[str]:
    audit.begin("stub")
    verdict = audit.mark(read_text(audit.place.stub))
    audit.found.stub_points = float(verdict.points or 0)
    silent = all(check.outcome is not Outcome.GRADER_ERROR for check in verdict.checks)
    if not audit.found.stub.add(verdict.points == 0 and silent and bool(verdict.messages)):
        yield f"the stub gets {verdict.points} points{_why(verdict)}; it should get none, and be told so"


def _right_answers(audit: _Audit) -> Iterator[str]:
    found, place = audit.found, audit.place
    right = {REFERENCE: place.reference()}
    right |= {path.stem: read_text(path) for path in place.alternatives}
    for answer, source in right.items():
        audit.begin(answer)
        count = found.solution if answer == REFERENCE else found.alternatives
        suites: tuple[tuple[Suite, Count], ...] = (("hidden", count), ("public", found.public))
        for suite, counted in suites:
            verdict = audit.worker.mark(audit.name, [source], suite)
            if not counted.add(_perfect(verdict)):
                yield f"{answer} is right but fails the {suite} suite{_why(verdict)}"
        seeds = range(1, audit.effort.reference if answer == REFERENCE else audit.effort.right)
        shares = audit.shares([(source, seed) for seed in seeds])
        lost = [seed for seed, share in zip(seeds, shares, strict=True) if not count.add(share == 1)]
        if answer == REFERENCE:
            found.flaky = len(lost)
        if lost:
            yield f"{answer} is right but loses points{_with(lost)}"


def _misconceptions(audit: _Audit) -> Iterator[str]:
    found, place = audit.found, audit.place
    reference = place.reference()
    sources = {mistake.id: mistake.apply(reference) for mistake in place.misconceptions()}
    audit.begin("misconceptions with other run seeds")
    plays = [(one, seed) for one in sources for seed in range(1, audit.effort.wrong)]
    programs = [(sources[one], seed) for one, seed in plays]
    shares = dict(zip(plays, audit.shares(programs), strict=True))
    for mistake in place.misconceptions():
        audit.begin(mistake.id)
        verdict = audit.mark(sources[mistake.id])
        yield from _name(audit, mistake.id, verdict)
        kept = {0: _kept(verdict)} | {
            seed: share for (one, seed), share in shares.items() if one == mistake.id
        }
        missed = [seed for seed, share in kept.items() if share is None or share == 1]
        outside = {
            seed: share for seed, share in kept.items() if share is None or not _inside(share, mistake.keeps)
        }
        if not found.caught.add(not missed):
            yield f"misconception {mistake.id} is not caught{_with(missed)}{_why(verdict)}"
        elif not found.in_band.add(not outside):
            low, high = mistake.keeps
            kept_shares = " or ".join(sorted({f"{share:.2f}" for share in outside.values()}))
            yield (
                f"misconception {mistake.id} keeps {kept_shares} of the points, "
                f"not {low:.2f} to {high:.2f}{_with(outside)}"
            )
        known = [share for share in kept.values() if share is not None] or [0.0]
        found.mistakes.append(
            MistakeFound(
                id=mistake.id,
                says=mistake.says,
                failed=tuple(sorted(_failed(verdict))),
                keeps=mistake.keeps,
                kept=(min(known), max(known)),
                named=verdict.mistakes,
                gap=_gap(audit.fares[mistake.id]),
            )
        )
    found.noise = max((case.gap for case in audit.fares[REFERENCE]), default=0.0)


def _name(audit: _Audit, mistake: str, verdict: ExerciseVerdict) -> Iterator[str]:
    """Count how a misconception is named; what a student is told of it is kept for a reader."""
    found = audit.found
    told = [
        "\n".join(part for part in (one.asked, one.difference, one.says) if part) for one in verdict.messages
    ]
    found.messages.append(f"{audit.name}: {mistake}\n" + "\n\n".join(told))
    if not verdict.mistakes and any(check.outcome is Outcome.NOT_FINITE for check in verdict.checks):
        found.nameless += 1  # NaN everywhere could be anybody's
        return
    found.named.add(verdict.mistakes == (mistake,))
    if mistake not in verdict.mistakes:
        found.misnamed += bool(verdict.mistakes)
        yield f"misconception {mistake} is named {', '.join(verdict.mistakes) or 'nothing'}"
    elif len(verdict.mistakes) > 1:
        found.ambiguous += 1


def _gap(cases: Sequence[Case]) -> float | None:
    """How clearly numbers show that something is wrong; None where something else does too."""
    failed = [case for case in cases if case.outcome not in (Outcome.PASSED, Outcome.NOT_REACHED)]
    by_numbers = all(case.outcome is Outcome.WRONG_VALUE and case.gap > 1 for case in failed)
    return max((case.gap for case in failed), default=None) if by_numbers else None


def _checks(audit: _Audit) -> Iterator[str]:
    """Each check is needed: it alone catches some misconception, or says which sentence it enforces."""
    found = audit.found
    verdict = audit.mark(audit.place.reference())
    worth = {check.name: float(check.max_points) for check in verdict.checks}
    seconds: dict[str, float] = {}
    for case in audit.fares[REFERENCE]:
        seconds[case.check] = seconds.get(case.check, 0.0) + case.seconds
    for check in read_suite(audit.place.hidden).checks:
        alone = tuple(mistake.id for mistake in found.mistakes if mistake.failed == (check.name,))
        worthless = all(audit.course.kinds[kind].share == 0 for kind in check.marks)
        if not found.reasoned.add(bool(alone or check.enforces) or worthless):
            yield f"{check.name} is never the only check that a misconception fails, and quotes no sentence"
        found.checks.append(
            CheckFound(
                name=check.name,
                kind=check.marks[0] if check.marks else "",
                says=check.says,
                points=worth.get(check.name, 0.0),
                seconds=round(seconds.get(check.name, 0.0), 4),
                alone=alone,
                enforces=" ".join(check.enforces),
            )
        )


def _pairs(audit: _Audit) -> tuple[str, ...]:
    """Two misconceptions at once, some of all that can be joined: no fault by itself, the course has bars."""
    mistakes = [mistake.id for mistake in audit.place.misconceptions()]
    pairs = list(combinations(mistakes, 2))
    random.Random(audit.name).shuffle(pairs)
    found = audit.found
    while pairs and found.pairs_caught.total < audit.effort.pairs:
        audit.begin("two misconceptions at once")
        wanted = min(BATCH, audit.effort.pairs - found.pairs_caught.total)
        drawn, pairs = pairs[:wanted], pairs[wanted:]
        for told in filter(None, audit.worker.pairs(audit.name, drawn)):
            both = f"{audit.name}: {' and '.join(told.pair)} at once"
            if not found.pairs_caught.add(told.caught):
                found.notes.append(f"{both} are not caught")
                continue
            found.pairs_exact.add(told.exact)
            if not found.pairs_sound.add(told.sound):
                parts = "; ".join(" or ".join(part) for part in told.parts)
                found.notes.append(f"{both} are told as {parts}")
    return ()


def _mutants(audit: _Audit) -> Iterator[str]:
    if not audit.effort.mutants:
        return
    audit.begin("mutants")
    reasons, used = audit.place.equivalents(), set()
    made = mutants(read_text(audit.place.solution))
    shares = audit.shares([(mutant.source, 0) for mutant in made])
    for mutant, share in zip(made, shares, strict=True):
        if audit.found.mutants.add(share != 1):
            continue
        why = reasons.get((mutant.was, mutant.now), "")
        used.add((mutant.was, mutant.now))
        audit.found.survivors.append(Survivor(was=mutant.was, now=mutant.now, why=why))
        if not why:
            yield f"a mutant keeps all points: {mutant.was} → {mutant.now}"
    for was, now in reasons.keys() - used:
        yield f"equivalents.yml explains a mutant that does not survive: {was} → {now}"


def _trivial_answers(audit: _Audit) -> Iterator[str]:
    audit.begin("answers without thought")
    reference, trivial = audit.place.reference(), audit.place.trivial()
    ceiling = Decimal(str(audit.course.audit.trivial_ceiling))
    sources = [thoughtless.apply(reference) for thoughtless in trivial]
    shares = audit.shares([(source, 0) for source in sources])
    for thoughtless, source, share in zip(trivial, sources, shares, strict=True):
        kept = _kept(audit.mark(source)) if share is None else share
        if not audit.found.trivial.add(kept is not None and kept <= ceiling):
            much = "an unknown share" if kept is None else f"{kept:.2f}"
            yield f"trivial answer {thoughtless.id} keeps {much} of the points, more than {ceiling}"


def _sheet(audit: _Audit) -> Iterator[str]:
    """A question sheet has no suite: every answer that can be given is tried."""
    found, sheet = audit.found, read_sheet(audit.place.sheet)
    right = right_answers(sheet)
    audit.begin("stub")
    verdict = audit.mark(read_text(audit.place.stub))
    if not found.stub.add(verdict.points == 0):
        yield f"the stub gets {verdict.points} points{_why(verdict)}; it should get none"
    verdict = audit.mark(program(sheet, right))
    if not found.solution.add(verdict.all_right):
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


def _inside(share: float, band: tuple[float, float]) -> bool:
    low, high = band
    return low <= share <= high


def _why(verdict: ExerciseVerdict) -> str:
    if verdict.note:
        return f": {verdict.note}"
    failed = [check for check in verdict.checks if check.outcome is not Outcome.PASSED]
    return f": {failed[0].name} ({failed[0].message})" if failed else ""
