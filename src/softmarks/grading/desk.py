"""Where programs are graded: JSON text in and out. One worker a thread, in whatever process.

`graded` is what an executor runs, in a thread of this process or on another machine. Nothing is pickled but
two texts.
"""

from __future__ import annotations

import platform
import threading
from typing import Literal

from pydantic import BaseModel, ConfigDict

from softmarks.course.course import Course, load_course
from softmarks.course.finding import course_called
from softmarks.errors import GraderError, NotConfined, UsageError
from softmarks.grading.dependence import Dependence, changed
from softmarks.grading.unmarked import without_marks
from softmarks.grading.workers import Wall, Worker
from softmarks.verdict import ExerciseVerdict


class Handed(BaseModel):
    """One program, and all that its verdict depends on at the sender's: other software here is noticed."""

    model_config = ConfigDict(frozen=True)

    exercise: str
    cells: tuple[str, ...]
    key: str


class Task(BaseModel):
    """Programs of one student, and the course to grade them with: its folder, or its installed name."""

    model_config = ConfigDict(frozen=True)

    course: str
    trust: bool
    seed: int
    programs: tuple[Handed, ...]


class Done(BaseModel):
    """The verdicts of a task, in its order; or why there are none."""

    model_config = ConfigDict(frozen=True)

    verdicts: tuple[ExerciseVerdict, ...] = ()
    error: str = ""
    kind: Literal["usage", "not-confined", "grader"] = "grader"

    def result(self) -> tuple[ExerciseVerdict, ...]:
        """The verdicts. Raises what kept a worker from starting."""
        if self.error:
            kinds = {"usage": UsageError, "not-confined": NotConfined, "grader": GraderError}
            raise kinds[self.kind](self.error)
        return self.verdicts


def graded(task: str) -> str:
    """A `Task` as JSON in, a `Done` as JSON out. A program that ends two workers has a verdict too."""
    try:
        given = Task.model_validate_json(task)
        desk = _desk_of_this_thread((given.course, given.trust, given.seed))
        done = Done(verdicts=tuple(desk.mark(program) for program in given.programs))
    except UsageError as error:
        done = Done(error=str(error), kind="usage")
    except NotConfined as error:
        done = Done(error=str(error), kind="not-confined")
    except GraderError as error:
        done = Done(error=str(error))
    return done.model_dump_json()


class _Proof:
    """That a worker has started and, unless all is trusted, has shown that the wall holds."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.waiting = threading.Lock()
        self.done = False
        self.failure: BaseException | None = None

    def await_it(self) -> None:
        """Wait for it, whoever comes first. Raises what kept it from being given, to everybody."""
        with self.waiting:
            if self.failure:
                raise self.failure
            if not self.done:
                try:
                    self.worker.wait()
                except BaseException as error:
                    self.failure = error
                    raise
                self.done = True


class _Desk:
    """One worker, replaced when it dies. It relies on the proof that ``first`` gives, or gives one itself."""

    def __init__(self, name: str, trust: bool, seed: int, first: _Desk | None) -> None:
        self.seed = seed
        self.root = course_called(name)
        self.course: Course = load_course(self.root)
        self.dependence = Dependence(self.course, self.root, trust=trust, seed=seed)
        self.wall: Wall = "optional" if trust else "required"
        self.stopped = False
        self.worker = Worker(self.root, self.wall if trust or first else "proved")
        self.proof: _Proof = first.proof if first else _Proof(self.worker)

    def mark(self, program: Handed) -> ExerciseVerdict:
        exercise = self.course.exercise(program.exercise)
        if why := changed(program.key, self.dependence.key(program.exercise, program.cells)):
            raise UsageError(
                f"{platform.node()} would grade {exercise.name} with something else: {why} differs",
                fix="Install the same versions of the course, Softmarks and its packages there",
            )
        error: GraderError | None = None
        for _ in range(2):  # a dead worker is replaced, and the program tried once more
            try:
                return self.worker.mark(exercise.name, program.cells, seed=self.seed)
            except GraderError as failure:
                if self.stopped:
                    raise
                error = failure
                self.worker.close()
                self.worker = Worker(self.root, self.wall)
        return without_marks(exercise, "grader-error", None, str(error))

    def stop(self) -> None:
        self.stopped = True
        self.worker.process.kill()


Which = tuple[str, bool, int]  # the course, whether it is trusted, the seed

_this_thread = threading.local()
_desks: dict[Which, list[_Desk]] = {}
_opening = threading.Lock()


def _desk_of_this_thread(which: Which) -> _Desk:
    """This thread's desk. The first of all that grade the same proves the wall, before any program runs."""
    found: dict[Which, _Desk] = _this_thread.__dict__.setdefault("desks", {})
    if which not in found or found[which].stopped:
        found[which] = _opened(which)
    return found[which]


def _opened(which: Which) -> _Desk:
    """A desk whose worker starts while the first one's does, and is used once that has proved the wall."""
    with _opening:
        desks = _desks.setdefault(which, [])
        desk = _Desk(*which, first=desks[0] if desks else None)
        desks.append(desk)
    try:
        desk.proof.await_it()
    except BaseException:
        with _opening:
            desks.remove(desk)
        desk.worker.close()
        raise
    return desk


def stop_all() -> None:
    """End the workers of this process at once, whatever they are doing."""
    for desk in _all():
        desk.stop()


def close_all() -> None:
    """End the workers of this process, and take their scratch folders away."""
    for desk in _all():
        desk.stopped = True
        desk.worker.close()
    _desks.clear()


def _all() -> list[_Desk]:
    return [desk for desks in _desks.values() for desk in desks]
