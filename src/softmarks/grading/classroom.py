"""Grade submissions: one, or a class on several workers. A neighbour's crash costs nobody a mark."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from softmarks import __version__
from softmarks.course.course import Course, Exercise
from softmarks.errors import GraderError
from softmarks.grading.dependence import Dependence
from softmarks.grading.workers import Wall, Worker
from softmarks.submission.collecting import Submission
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict, Verdict


class Progress(Protocol):
    """Told as submissions are begun and done, from several threads."""

    def started(self, student: str) -> None:
        """A submission is begun."""

    def finished(self, student: str, verdict: Verdict) -> None:
        """A submission has its verdict."""


def grade_class(
    submissions: Sequence[Submission],
    course: Course,
    root: Path,
    workers: int,
    *,
    trust: bool,
    progress: Progress,
    done: Callable[[Verdict], None],
    before: Mapping[str, Verdict] = MappingProxyType({}),
) -> list[Verdict]:
    """The verdicts on a class, in its order; ``done`` is called with each as soon as it is there.

    What is known from ``before``, by student, is not run again where nothing that it depends on has changed.
    Unless ``trust``, the first worker proves the wall before any program runs. Raises the first error that
    is not a submission's: no worker can start, ``done`` cannot write.
    """
    memory = _Memory(Dependence(course, root, trust=trust), before)
    verdicts: dict[int, Verdict] = {}
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    left = 0
    for index, submission in enumerate(submissions):
        try:
            verdict = memory.grade(submission, course, _not_run)
        except _Unknown:
            waiting.put(index)
            left += 1
            continue
        progress.started(submission.student)
        verdicts[index] = verdict
        done(verdict)
        progress.finished(submission.student, verdict)
    if not left:
        return [verdicts[index] for index in sorted(verdicts)]
    errors: list[BaseException] = []
    lock = threading.Lock()
    stop = threading.Event()
    first = _Desk(root, "optional" if trust else "proved")
    desks = [first]
    try:
        first.worker.wait()
    except BaseException:
        first.close()
        raise
    wall: Wall = "optional" if trust else "required"
    desks += [_Desk(root, wall) for _ in range(min(workers, left) - 1)]

    def work(desk: _Desk) -> None:
        try:
            while not stop.is_set():
                try:
                    index = waiting.get_nowait()
                except queue.Empty:
                    return
                submission = submissions[index]
                progress.started(submission.student)
                verdict = memory.grade(submission, course, desk.mark)
                with lock:
                    verdicts[index] = verdict
                    done(verdict)
                progress.finished(submission.student, verdict)
        except BaseException as error:
            errors.append(error)
            stop.set()
        finally:
            desk.close()

    threads = [threading.Thread(target=work, args=(desk,), daemon=True) for desk in desks]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(timeout=0.2)
    except BaseException:
        stop.set()
        for desk in desks:
            desk.kill()
        for thread in threads:
            thread.join(timeout=5)  # each closes its desk and takes its scratch folder with it
        raise
    if errors:
        raise errors[0]
    return [verdicts[index] for index in sorted(verdicts)]


def grade_one(submission: Submission, course: Course, mark: Callable[[Source], ExerciseVerdict]) -> Verdict:
    """The verdict on one submission, given how to mark one of its programs."""
    return Verdict(
        student=submission.student,
        course=course.id,
        course_version=course.version,
        engine_version=__version__,
        graded_at=datetime.now(UTC).replace(microsecond=0),
        origin=submission.origin,
        repairs=submission.repairs,
        unplaced=submission.unplaced,
        exercises=tuple(_exercise(exercise, submission, mark) for exercise in course.exercises),
    )


def _exercise(
    exercise: Exercise, submission: Submission, mark: Callable[[Source], ExerciseVerdict]
) -> ExerciseVerdict:
    source = submission.sources.get(exercise.name)
    if source is None:
        if submission.unreadable:
            return without_marks(exercise, "ungradable", None, submission.unreadable)
        return without_marks(exercise, "missing", Decimal("0.00"), "nothing was handed in")
    if source.unreadable:
        return without_marks(exercise, "ungradable", None, source.unreadable, source.repairs)
    return mark(source)


def without_marks(
    exercise: Exercise, status: str, points: Decimal | None, note: str, repairs: Iterable[str] = ()
) -> ExerciseVerdict:
    """A verdict on work that was not run."""
    return ExerciseVerdict.model_validate(
        {
            "exercise": exercise.name,
            "assignment": exercise.assignment,
            "title": exercise.title,
            "max_points": exercise.points,
            "status": status,
            "points": points,
            "note": note,
            "repairs": tuple(repairs),
        }
    )


class _Unknown(Exception):
    """A program whose verdict is not known yet."""


def _not_run(_source: Source, _exercise: Exercise) -> ExerciseVerdict:
    raise _Unknown


class _Memory:
    """Earlier verdicts, by student: one that depends on nothing that has changed is given again."""

    def __init__(self, dependence: Dependence, before: Mapping[str, Verdict]) -> None:
        self.dependence = dependence
        self.before = before

    def grade(
        self, submission: Submission, course: Course, mark: Callable[[Source, Exercise], ExerciseVerdict]
    ) -> Verdict:
        """The verdict on a submission; the very one of before where nothing of it is new."""
        earlier = self.before.get(submission.student)
        known = {one.key: one for one in earlier.exercises if one.key} if earlier else {}

        def marked_or_known(source: Source) -> ExerciseVerdict:
            key = self.dependence.key(source)
            if key in known:
                return known[key].model_copy(update={"repairs": source.repairs})
            verdict = mark(source, course.exercise(source.exercise))
            lasting = verdict.status in ("graded", "needs-a-person")
            return verdict.model_copy(update={"key": key}) if lasting else verdict

        verdict = grade_one(submission, course, marked_or_known)
        same = earlier and verdict.model_copy(update={"graded_at": earlier.graded_at}) == earlier
        return earlier if earlier and same else verdict


class _Desk:
    """A place where a class is graded: one worker, replaced when it dies."""

    def __init__(self, root: Path, wall: Wall) -> None:
        self.root = root
        self.wall: Wall = wall
        self.worker = Worker(root, wall)
        self.stopped = False

    def mark(self, source: Source, exercise: Exercise) -> ExerciseVerdict:
        error: GraderError | None = None
        for _ in range(2):  # a dead worker is replaced, and the program tried once more
            try:
                return marked(self.worker, source)
            except GraderError as failure:
                if self.stopped:
                    raise
                error = failure
                self.worker.close()
                self.worker = Worker(self.root, self.wall)
        return without_marks(exercise, "grader-error", None, str(error), source.repairs)

    def kill(self) -> None:
        self.stopped = True
        self.worker.process.kill()

    def close(self) -> None:
        self.worker.close()


def marked(worker: Worker, source: Source) -> ExerciseVerdict:
    """A worker's verdict on a program, with the repairs that its text needed."""
    verdict = worker.mark(source.exercise, source.cells)
    return verdict.model_copy(update={"repairs": source.repairs})
