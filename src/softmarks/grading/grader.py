"""Grade one exercise of one submission: the suite, the marks, the name of the mistake, the words.

A `Grader` lives in a worker. It holds the course, one warm process, and what the misconceptions of
each exercise said, which is the same for every student.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from softmarks.course.course import Course, Limits, load_course
from softmarks.course.interface import misnamed
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import read_asked, read_sheet, worths
from softmarks.errors import CourseError, GraderError, UsageError
from softmarks.grading.account import Account, account
from softmarks.grading.answers import explanations, mark_answers, public_answers, read_answers
from softmarks.grading.apart import apart
from softmarks.grading.audited import Told
from softmarks.grading.diagnosis import diagnose, tells
from softmarks.grading.direct import play, tests
from softmarks.grading.feedback import QUIET, messages
from softmarks.grading.fingerprints import Known, fingerprints, read_fingerprints
from softmarks.grading.marking import NOTHING, checks
from softmarks.grading.program import Code, Program
from softmarks.grading.record import Record, settle
from softmarks.grading.rehearsal import Rehearsal, cache_for, prepare_copies
from softmarks.grading.showing import Panels, drawn, panels
from softmarks.grading.suite_run import CollectedSuite
from softmarks.pictures import Drawn
from softmarks.sandbox.client import Asks, Bounds, InProcess, Warm, warmed
from softmarks.verdict import ExerciseVerdict, Outcome, Suite

T = TypeVar("T")


class Grader:
    """The grader of one course in one process."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.course: Course = load_course(root)
        self.warm = warmed(self.course.packages)
        self.confined = True  # until the warm process, or a proof, says otherwise
        self.rehearsals: dict[tuple[str, Suite, int], Rehearsal] = {}
        self.suites: dict[Path, CollectedSuite] = {}
        self.seen: dict[Path, tuple[int, int] | None] = {}  # suites, as they were written

    def wait(self) -> None:
        """Wait for the warm process; see whether it can build a wall here."""
        self.warm.wait()
        self.confined = self.confined and self.warm.confined

    def close(self) -> None:
        """End the warm process."""
        self.warm.close()

    def _renew(self) -> None:
        """Replace a warm process that is gone, with one that can do no less."""
        confined = self.confined
        self.warm.close()
        self.warm = warmed(self.course.packages)
        self.wait()
        if confined and not self.confined:
            raise GraderError(f"the wall is gone: {self.warm.why}")

    def mark(
        self,
        exercise: str,
        cells: tuple[str, ...],
        suite: Suite = "hidden",
        seed: int = 0,
    ) -> ExerciseVerdict:
        """The verdict on a program for ``exercise``. The grader's own faults become a grader-error.

        Raises CourseError when an authored file of the room is wrong.
        """
        place = room(self.course, self.root, exercise)
        self._see(_path(place, suite))
        try:
            if not self.warm.alive:
                self._renew()
            try:
                return self._mark(place, cells, suite, seed)
            except GraderError:
                if self.warm.alive:
                    raise
                self._renew()  # it was killed in the middle: once more, with a new one
                return self._mark(place, cells, suite, seed)
        except GraderError as error:
            return self._verdict(place, suite, seed, status="grader-error", points=None, note=str(error))

    def points(self, exercise: str, programs: Sequence[tuple[str, int]]) -> list[Decimal | None]:
        """The points of authored programs, each with a run seed; None for one that ends its process.

        They are run one after the other in a copy of this process.
        """
        place, stage = room(self.course, self.root, exercise), self.rehearsal(exercise)
        right = stage.reference().cases

        def work(source: str, seed: int) -> Callable[[], str]:
            def points() -> str:
                record = self._play(place, source, "hidden", seed)
                settle(record, right, place.address)
                done = checks(record.cases, place.exercise.points, self.course.shares(place.exercise))
                return str(sum((check.points for check in done), NOTHING))

            return points

        prepare_copies()
        found = apart([work(*program) for program in programs], self._limits(place).cpu_seconds)
        return [None if points is None else Decimal(points) for points in found]

    def pairs(self, exercise: str, pairs: Sequence[tuple[str, str]]) -> list[Told | None]:
        """What is told of two misconceptions at once; None where they cannot be joined, or end a process."""
        stage = self.rehearsal(exercise)
        singles = stage.misconceptions()
        told: list[Told | None] = []
        for pair, fare in zip(pairs, stage.together(pairs, None), strict=True):
            if fare is None:
                told.append(None)
                continue
            found = diagnose(fare, singles, stage.together)
            caught = not all(end.passed for end in fare.values())
            sure = found if found and not found.resembles else None
            parts = tuple(part.ids for part in sure.parts) if sure else ()
            told.append(Told(pair=pair, caught=caught, parts=parts, whole=bool(sure and not sure.rest)))
        return told

    def fingerprints(self, exercise: str) -> str:
        """What a student edition carries of an exercise's misconceptions."""
        stage = self.rehearsal(exercise, "public")
        return fingerprints(Known(stage.names, stage.mistakes, stage.misconceptions, None))

    def show(self, exercise: str, cells: tuple[str, ...]) -> list[Drawn]:
        """The pictures of an exercise, for a program; beside what is meant where the solution is here."""
        place = room(self.course, self.root, exercise)
        if not place.picture.is_file():
            raise UsageError(f"{exercise} has no picture", fix="softmarks check says what it checks")
        meant: Panels | None = None
        if place.solution.is_file():
            right = panels(place.picture, self._program(place, (place.reference(),), 0))
            if isinstance(right, str):
                raise CourseError(f"the reference gives no picture: {right}", where=place.picture)
            meant = right
        try:
            own = panels(place.picture, self._program(place, cells, 0))
        except CourseError:  # it draws the reference, here or where this edition was made: blame the answer
            own = "your code gave something that this picture cannot show"
        return drawn(own, meant)

    def rehearsal(self, exercise: str, suite: Suite = "hidden", seed: int = 0) -> Rehearsal:
        """How the authored programs of an exercise fare in a suite."""
        place = room(self.course, self.root, exercise)
        self._see(_path(place, suite))
        if (exercise, suite, seed) not in self.rehearsals:
            limits = self._limits(place)
            cache = cache_for(place, _path(place, suite), self.course, limits, seed)

            def in_process(source: str, only: Collection[str] | None = None) -> Record:
                return self._play(place, source, suite, seed, only)

            def in_host(source: str) -> Record:
                return self._run(place, (source,), suite, seed)

            with suppress(BaseException):  # what is wrong with a suite is told when it is run
                tests(_path(place, suite))  # now, and not in each copy of this process
            found = Rehearsal(place, limits.cpu_seconds, cache, in_process, in_host)
            self.rehearsals[exercise, suite, seed] = found
        return self.rehearsals[exercise, suite, seed]

    def _limits(self, place: Room) -> Limits:
        return place.exercise.limits or self.course.limits

    def _run(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> Record:
        return self._undisturbed(place, cells, seed, self._suite(_path(place, suite)).run)

    def _suite(self, path: Path) -> CollectedSuite:
        if path not in self.suites:
            self.suites[path] = CollectedSuite(path, self.root, self.course)
        return self.suites[path]

    def _see(self, path: Path) -> None:
        """Its author may change a suite while this process lives: what is known of it is forgotten then."""
        state = path.stat() if path.is_file() else None
        written = (state.st_mtime_ns, state.st_size) if state else None
        if self.seen.setdefault(path, written) != written:
            self.seen[path] = written
            self.rehearsals.clear()
            if path in self.suites:
                self.suites.pop(path).close()

    def _undisturbed(self, place: Room, cells: tuple[str, ...], seed: int, use: Callable[[Program], T]) -> T:
        """What ``use`` finds of a program; once more where its process was killed, and not by us.

        Who kills it may be a machine without memory, or the program itself: it does so again.
        """
        program = self._program(place, cells, seed)
        found = use(program)
        return use(self._program(place, cells, seed)) if program.shot else found

    def _play(
        self, place: Room, source: str, suite: Suite, seed: int, only: Collection[str] | None = None
    ) -> Record:
        """The record of an authored program, run in this very process."""
        kinds = {name: kind.needs for name, kind in self.course.kinds.items()}
        return play(_path(place, suite), kinds, self._program(place, (source,), seed, InProcess), only)

    def _program(
        self, place: Room, cells: tuple[str, ...], seed: int, start: Callable[[], Asks] | None = None
    ) -> Program:
        limits = self._limits(place)
        bounds = Bounds(limits.cpu_seconds, limits.memory_mb)

        def host() -> Asks:
            return self.warm.host(bounds, confined=self.confined)

        memory = bounds.memory_mb if start is None and isinstance(self.warm, Warm) else 0
        code = Code(place.exercise.name, cells, place.given(), self.course.axes, memory)
        return Program(code, start or host, seed)

    def _mark_sheet(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> ExerciseVerdict:
        exercise = place.exercise
        if suite == "public":
            asked = read_sheet(place.sheet) if place.sheet.is_file() else read_asked(place.asked_sheet)
            given = self._undisturbed(place, cells, seed, lambda program: read_answers(asked, program))
            done = public_answers(asked, given)
            return self._verdict(place, suite, seed, status="graded", points=NOTHING, checks=done)
        sheet = read_sheet(place.sheet)
        answers = self._undisturbed(place, cells, seed, lambda program: read_answers(sheet, program))
        done = mark_answers(sheet, answers, worths(sheet, exercise.points, exercise.judged))
        told = explanations(sheet, answers)
        points = sum((check.points for check in done), NOTHING)
        marks: dict[str, object] = {"status": "graded", "points": points}
        if any(check.outcome is Outcome.NEEDS_A_PERSON for check in done):
            note = (
                f"{points:.2f} points so far; a person reads the answer in words, for {exercise.judged:.2f}"
            )
            marks = {"status": "needs-a-person", "points": None, "note": note}
        mistakes = tuple(message.mistake for message in told)
        return self._verdict(place, suite, seed, checks=done, messages=told, mistakes=mistakes, **marks)

    def _mark(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> ExerciseVerdict:
        if place.is_sheet:
            return self._mark_sheet(place, cells, suite, seed)
        exercise = place.exercise
        found = self._account(place, cells, suite, seed)
        worth = exercise.points if suite == "hidden" else None
        done = checks(found.cases, worth, self.course.shares(exercise))
        failed = any(check.outcome not in QUIET for check in done)
        known = self._known_mistakes(place, suite, seed) if failed else None
        broken = any(case.outcome is Outcome.RAISED for case in found.cases.values())
        others = [name for name in misnamed(known.names, cells) if name.grave or broken] if known else []
        diagnosis = None
        if known and self.course.name_mistakes and not others and tells(found.signatures):
            diagnosis = diagnose(found.signatures, known.fare(), known.together)
        mistakes, hints = known.mistakes if known else {}, place.hints() if failed else {}
        there = [*self.course.packages, *place.given()]
        told = messages(found.cases, done, others, diagnosis, mistakes, hints, there)
        return self._verdict(
            place,
            suite,
            seed,
            status="graded",
            points=sum((check.points for check in done), NOTHING),
            checks=done,
            mistakes=diagnosis.mistakes if diagnosis else (),
            messages=told,
        )

    def _account(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> Account:
        """How a program fares in a suite; known already for a misconception that was played."""
        key = (place.exercise.name, suite, seed)
        if len(cells) == 1 and key in self.rehearsals and cells[0] in self.rehearsals[key].known:
            return self.rehearsals[key].known[cells[0]]
        record = self._run(place, cells, suite, seed)
        if any(case.outcome is Outcome.GRADER_ERROR for case in record.cases.values()):
            right = self.rehearsal(*key).reference().cases if place.misconceptions_file.is_file() else {}
            settle(record, right, place.address)
        return account(record)

    def _known_mistakes(self, place: Room, suite: Suite, seed: int) -> Known | None:
        """What is known of the mistakes that people make; None where nothing is."""
        if place.misconceptions_file.is_file():
            stage = self.rehearsal(place.exercise.name, suite, seed)
            return Known(stage.names, stage.mistakes, stage.misconceptions, stage.together)
        if suite == "public" and place.fingerprints.is_file():
            return read_fingerprints(place.fingerprints)
        return None

    def _verdict(self, place: Room, suite: Suite, seed: int, **fields: object) -> ExerciseVerdict:
        exercise = place.exercise
        return ExerciseVerdict.model_validate(
            {
                "exercise": exercise.name,
                "assignment": exercise.assignment,
                "title": exercise.title,
                "max_points": exercise.points if suite == "hidden" else NOTHING,
                "suite": suite,
                "seed": seed,
                "confined": self.confined,
                "confinement": self.warm.rung if self.confined else "none",
                **fields,
            }
        )


def _path(place: Room, suite: Suite) -> Path:
    return place.public if suite == "public" else place.hidden
