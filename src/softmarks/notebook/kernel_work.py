"""What a learner has written in one kernel, how its checks went, and which hints were asked for."""

from __future__ import annotations

from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from softmarks.course.course import Course, load_course
from softmarks.course.finding import find_course
from softmarks.course.rooms import Room, room, rooms
from softmarks.course.sheets import FREE_ANSWERS, read_asked, read_sheet
from softmarks.errors import CourseError, UsageError
from softmarks.grading.hinting import hints_so_far, told_hint
from softmarks.grading.kept_worker import KeptWorker
from softmarks.grading.own_work import check_source
from softmarks.notebook.session import Session
from softmarks.pictures import Drawn
from softmarks.submission.names import CHECKS, listing
from softmarks.submission.notebooks import binds, in_cells, writes
from softmarks.submission.reading import Source, read_session
from softmarks.verdict import ExerciseVerdict

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

UNSEEN = "What you answer in words stands in text cells, which are read when you hand in, not here."


@cache
def kernel_work(shell: InteractiveShell) -> KernelWork:
    """The one work of a kernel."""
    return KernelWork(shell)


class KernelWork:
    """The work of one kernel."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.session = Session(shell)
        self.last: dict[str, ExerciseVerdict] = {}  # verdicts, by exercise
        self.public: dict[str, tuple[tuple[str, ...], ExerciseVerdict]] = {}  # with the cells they are on
        self.given: dict[str, list[str]] = {}  # hints by exercise, as they were given

    @cached_property
    def root(self) -> Path:
        """The folder of the course: that of the folder in which it is first asked for.

        Raises UsageError when there is none.
        """
        packed = Path.cwd() / CHECKS
        try:
            return find_course(Path.cwd(), str(packed) if packed.is_file() else None)
        except CourseError:
            raise
        except UsageError as error:
            fix = f"Open the notebook in the course's folder, or lay its {CHECKS} beside it"
            raise UsageError(error.what, fix=fix) from None

    @cached_property
    def course(self) -> Course:
        """The course."""
        return load_course(self.root)

    @cached_property
    def worker(self) -> KeptWorker:
        """The worker that checks: it starts when it is first used."""
        return KeptWorker(self.root)

    def missing_package(self) -> str | None:
        """A package that the course needs and this kernel has not."""
        return next((package for package in self.course.packages if find_spec(package) is None), None)

    def room(self, name: str) -> Room:
        """The room of an exercise. Raises UsageError, with near names, when there is none."""
        return room(self.course, self.root, name)

    def meant(self) -> list[Room]:
        """The rooms of the exercises that are defined here: all their names, or of one alone some.

        Raises UsageError when it is not clear which these are.
        """
        text = read_session(self.session.cells(), "", ()).text
        begun: list[Room] = []
        whole: list[Room] = []
        for place in rooms(self.course, self.root):
            written = [writes(text, name) for name in place.exercise.answers]
            begun += [place] if any(written) else []
            whole += [place] if all(written) else []
        answers = [name for place in whole for name in place.exercise.answers]
        if whole and len(set(answers)) == len(answers):
            return whole
        if len(begun) == 1:
            return begun
        if begun:
            names = [place.exercise.name for place in begun]
            raise UsageError(
                f"this could be {' or '.join(names)}", fix=f"Name the exercise, such as {names[0]}"
            )
        names = [exercise.name for exercise in self.course.exercises]
        raise UsageError(
            "nothing that an exercise asks for is defined here yet",
            fix=f"Run the cell with your answer, or name the exercise: {listing(names)}",
        )

    def check(self, place: Room) -> ExerciseVerdict:
        """The verdict on what is defined so far, by the rule of `softmarks check`."""
        source = self._source(place)
        if not source.cells and not source.unreadable:
            raise UsageError("there is no code yet", fix="Run the cell with your answer, then check it")
        with self.worker.use() as worker:
            verdict = check_source(worker, self.root, self.course, source, place.exercise)
        self.last[place.exercise.name] = verdict = _as_seen(place, source, verdict)
        return verdict

    def stage_checks(self, place: Room) -> ExerciseVerdict:
        """The public verdict on what is defined so far: the one of before while nothing has changed."""
        name, source = place.exercise.name, self._source(place)
        if source.unreadable:
            raise UsageError(source.unreadable)
        if name not in self.public or self.public[name][0] != source.cells:
            with self.worker.use() as worker:
                verdict = worker.mark(name, source.cells, "public")
            self.public[name] = source.cells, _as_seen(place, source, verdict)
        return self.public[name][1]

    def show(self, place: Room) -> list[Drawn]:
        """The pictures of what is defined so far. Raises UsageError when the exercise has none."""
        if not place.picture.is_file():
            name = place.exercise.name
            raise UsageError(f"{name} has no picture", fix=f"%check {name} says how far you are")
        source = self._source(place)
        if source.unreadable:
            raise UsageError(source.unreadable)
        with self.worker.use() as worker:
            panels = worker.show(place.exercise.name, source.cells)
        return [_by_cells(panel, source) for panel in panels]

    def next_hint(self, place: Room) -> list[str]:
        """The hints that were given so far and one more, the last: the one for the last mistake is first."""
        name = place.exercise.name
        if not place.hints_file.is_file():
            raise UsageError(f"{name} has no hints", fix=f"%check {name} explains what is wrong")
        hints, told = place.hints(), told_hint(self.last[name]) if name in self.last else ""
        self.given[name] = hints_so_far(hints, self.given.get(name, ()), told)
        return [hints[hint] for hint in self.given[name]]

    def _source(self, place: Room) -> Source:
        return read_session(self.session.cells(), place.exercise.name, place.exercise.answers)


def _by_cells(panel: Drawn, source: Source) -> Drawn:
    """A picture whose problem, where it has one, is at a line of a cell."""
    own = panel.own.model_copy(update={"problem": in_cells(panel.own.problem, source.cells)})
    return panel.model_copy(update={"own": own})


def _as_seen(place: Room, source: Source, verdict: ExerciseVerdict) -> ExerciseVerdict:
    """A verdict as a notebook's: lines by their cells, and no question whose answer a kernel cannot see."""
    messages = tuple(
        message.model_copy(update={"difference": in_cells(message.difference, source.cells)})
        for message in verdict.messages
    )
    verdict = verdict.model_copy(update={"messages": messages})
    if not place.is_sheet or binds(source.text, FREE_ANSWERS):
        return verdict
    sheet = read_sheet(place.sheet) if place.sheet.is_file() else read_asked(place.asked_sheet)
    unseen = {question.id for question in sheet.free}
    checks = tuple(check for check in verdict.checks if check.name not in unseen)
    return verdict.model_copy(update={"checks": checks, "note": verdict.note or (UNSEEN if unseen else "")})
