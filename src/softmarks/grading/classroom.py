"""Grade a class, on whatever runs its programs. A neighbour's crash costs nobody a mark."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from softmarks import __version__
from softmarks.course.course import Course, Exercise
from softmarks.course.finding import name_of
from softmarks.grading.dependence import Dependence
from softmarks.grading.desk import Done, Handed, Task, graded
from softmarks.grading.sharing import Sharing
from softmarks.grading.unmarked import unreadable, without_marks
from softmarks.grading.workers import Worker
from softmarks.submission.collecting import Submission
from softmarks.submission.names import listing, quoted
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict, Verdict


class Progress(Protocol):
    """Told as submissions are begun and done."""

    def started(self, student: str) -> None:
        """A submission is begun."""

    def finished(self, student: str, verdict: Verdict) -> None:
        """A submission has its verdict."""


def grade_class(
    submissions: Sequence[Submission],
    course: Course,
    root: Path,
    pool: Executor,
    at_once: int,
    *,
    trust: bool,
    seed: int = 0,
    progress: Progress,
    done: Callable[[Verdict], None],
    before: Mapping[str, Verdict] = MappingProxyType({}),
) -> list[Verdict]:
    """The verdicts on a class, in its order; ``done`` is called with each as soon as it is there.

    ``pool`` runs `softmarks.grading.desk.graded`, ``at_once`` times at most; it may be of threads here, of
    processes or of a cluster. Inputs of hidden checks are drawn by ``seed``. What is known from ``before``,
    by student, is not run again where nothing that it depends on has changed. Raises the first error that
    is not a submission's: no worker can start, ``done`` cannot write.
    """
    memory = _Memory(Dependence(course, root, trust=trust, seed=seed), before)
    where = name_of(root)
    share = Sharing()
    verdicts: dict[int, Verdict] = {}
    running: dict[Future[str], tuple[int, _Begun]] = {}

    def finish(index: int, begun: _Begun, marks: Sequence[ExerciseVerdict]) -> None:
        verdict = verdicts[index] = share(memory.verdict(begun, course, marks))
        done(verdict)
        progress.finished(verdict.student, verdict)

    def finish_some() -> None:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            index, begun = running.pop(future)
            finish(index, begun, _marks(future, begun, course))

    for index, submission in enumerate(submissions):
        begun = memory.begin(submission, course)
        if begun.programs:
            while len(running) >= at_once:
                finish_some()
        progress.started(submission.student)
        if not begun.programs:
            finish(index, begun, ())
            continue
        task = Task(course=where, trust=trust, seed=seed, programs=begun.programs)
        running[pool.submit(graded, task.model_dump_json())] = index, begun
    while running:
        finish_some()
    return [verdicts[index] for index in sorted(verdicts)]


def _marks(future: Future[str], begun: _Begun, course: Course) -> Sequence[ExerciseVerdict]:
    """What the pool found. A pool that fails on a submission, as when it ends machines, gives it no mark."""
    try:
        done = Done.model_validate_json(future.result())
    except Exception as error:
        note = f"{type(error).__name__}: {error}"
        exercises = [course.exercise(program.exercise) for program in begun.programs]
        return [without_marks(exercise, "grader-error", None, note) for exercise in exercises]
    return done.result()


@dataclass(frozen=True)
class _Begun:
    """A submission, the verdicts on it that are known, by exercise, and what is still to be run."""

    submission: Submission
    known: Mapping[str, ExerciseVerdict]
    programs: tuple[Handed, ...]


class _Memory:
    """Earlier verdicts, by student: one that depends on nothing that has changed is given again."""

    def __init__(self, dependence: Dependence, before: Mapping[str, Verdict]) -> None:
        self.dependence = dependence
        self.before = before

    def begin(self, submission: Submission, course: Course) -> _Begun:
        """What is known of a submission, and what is not; it may hold more than what is graded."""
        earlier = self.before.get(submission.student)
        keys = {one.key: one for one in earlier.exercises if one.key} if earlier else {}
        known, programs = {}, []
        for name in (exercise.name for exercise in course.exercises):
            source = submission.sources.get(name)
            if source is None or source.unreadable:
                continue
            key = self.dependence.key(name, source.cells)
            if key in keys:
                known[name] = keys[key]
            else:
                programs.append(Handed(exercise=name, cells=source.cells, key=key))
        return _Begun(submission, known, tuple(programs))

    def verdict(self, begun: _Begun, course: Course, marks: Sequence[ExerciseVerdict]) -> Verdict:
        """The verdict with ``marks`` for what was run; the very one of before where nothing of it is new."""
        new = {
            program.exercise: mark.model_copy(update={"key": program.key}) if _lasts(mark) else mark
            for program, mark in zip(begun.programs, marks, strict=True)
        }
        verdict = _verdict(begun.submission, course, {**begun.known, **new})
        earlier = self.before.get(verdict.student)
        if earlier and verdict.model_copy(update={"graded_at": earlier.graded_at}) == earlier:
            return earlier
        return verdict


def _lasts(mark: ExerciseVerdict) -> bool:
    """Whether a later run may give it again: it depends on its key alone."""
    return mark.status in ("graded", "needs-a-person")


def _verdict(submission: Submission, course: Course, marks: Mapping[str, ExerciseVerdict]) -> Verdict:
    """The verdict on one submission, given those on its programs."""
    return Verdict(
        student=submission.student,
        course=course.id,
        course_version=course.version,
        engine_version=__version__,
        graded_at=datetime.now(UTC).replace(microsecond=0),
        origin=submission.origin,
        repairs=submission.repairs,
        unplaced=submission.unplaced,
        handed_in=dict(submission.handed_in),
        exercises=tuple(_exercise(exercise, submission, marks) for exercise in course.exercises),
    )


def with_exercises(earlier: Verdict | None, new: Verdict, names: Collection[str]) -> Verdict:
    """An earlier verdict with some exercises from a new one; those alone where there is no earlier one."""
    found = {one.exercise: one for one in new.exercises if one.exercise in names}
    if earlier is None:
        return new.model_copy(update={"exercises": tuple(found.values())})
    kept = tuple(found.pop(one.exercise, one) for one in earlier.exercises)
    return new.model_copy(update={"exercises": (*kept, *found.values())})


def _exercise(
    exercise: Exercise, submission: Submission, marks: Mapping[str, ExerciseVerdict]
) -> ExerciseVerdict:
    source = submission.sources.get(exercise.name)
    if source is None:
        if submission.unreadable:
            return without_marks(exercise, "ungradable", None, submission.unreadable)
        note = "nothing was handed in"
        if submission.unplaced:
            note = f"no file of it was found; there is {listing(map(quoted, submission.unplaced))}"
        return without_marks(exercise, "missing", Decimal("0.00"), note)
    if source.unreadable:
        return unreadable(exercise, source)
    return marks[exercise.name].model_copy(update={"repairs": source.repairs})


def marked(worker: Worker, source: Source) -> ExerciseVerdict:
    """A worker's verdict on a program, with the repairs that its text needed."""
    verdict = worker.mark(source.exercise, source.cells)
    return verdict.model_copy(update={"repairs": source.repairs})
