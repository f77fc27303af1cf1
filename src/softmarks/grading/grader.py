"""Grade one exercise of one submission: the suite, the marks, the name of the mistake, the words.

A `Grader` lives in a worker. It holds the course, one warm process, and what the misconceptions of
each exercise said, which is the same for every student.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from softmarks import __version__
from softmarks.course.course import Course, Limits, load_course
from softmarks.course.rooms import Room, room
from softmarks.course.sheets import read_sheet
from softmarks.errors import CourseError, GraderError, UsageError
from softmarks.grading import kept
from softmarks.grading.answers import explanations, mark_answers, public_answers, read_answers, worths
from softmarks.grading.apart import apart
from softmarks.grading.checks import FATAL, SUITE
from softmarks.grading.diagnosis import Catalogue, Diagnosis, Played
from softmarks.grading.direct import play
from softmarks.grading.feedback import QUIET, messages
from softmarks.grading.marking import NOTHING, checks
from softmarks.grading.program import Code, Program
from softmarks.grading.record import Case, Record
from softmarks.grading.showing import drawn, panels
from softmarks.grading.suite_run import run
from softmarks.pictures import Drawn
from softmarks.sandbox.client import Asks, Bounds, HostProcess, InProcess, Warm
from softmarks.sandbox.warm import exercise_torch
from softmarks.verdict import ExerciseVerdict, Outcome

Suite = Literal["public", "hidden"]
ENGINE = ("grading", "sandbox")  # the parts that a conversation depends on


class Grader:
    """The grader of one course in one process."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.course: Course = load_course(root)
        self.warm = Warm(self.course.packages)
        self.confined = True  # until the warm process, or a proof, says otherwise
        self.copied = False
        self.catalogues: dict[tuple[str, Suite, int], Catalogue] = {}
        self.records: dict[tuple[str, Suite, int, tuple[str, ...]], Record] = {}  # of what was played

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
        self.warm = Warm(self.course.packages)
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

    def repeat(self, exercise: str, source: str, seeds: Sequence[int]) -> list[Decimal]:
        """The points of an authored program with each of these run seeds, run in a copy of this process.

        Raises GraderError when it dies there.
        """
        place = room(self.course, self.root, exercise)

        def work() -> list[str]:
            records = (self._play(place, source, "hidden", seed) for seed in seeds)
            return [str(self._points(place, record.cases)) for record in records]

        found = self._apart(place, work, len(seeds))
        if found is None:
            raise GraderError(f"a variant of {exercise} dies in a suite", fix="softmarks mark shows where")
        return [Decimal(points) for points in found]

    def _points(self, place: Room, cases: Mapping[str, Case]) -> Decimal:
        done = checks(cases, place.exercise.points, self.course.shares(place.exercise))
        return sum((check.points for check in done), NOTHING)

    def show(self, exercise: str, cells: tuple[str, ...]) -> list[Drawn]:
        """The pictures of an exercise, for a program; beside what is meant where the solution is here."""
        place = room(self.course, self.root, exercise)
        if not place.picture.is_file():
            raise UsageError(f"{exercise} has no picture", fix="softmarks check says what it checks")
        own_program = self._program(place, cells, 0)
        if not place.solution.is_file():
            return drawn(panels(place.picture, own_program), None)
        meant = panels(place.picture, self._program(place, (place.reference(),), 0))
        if isinstance(meant, str):
            raise CourseError(f"the reference gives no picture: {meant}", where=place.picture)
        try:
            own = panels(place.picture, own_program)
        except CourseError:  # it draws the reference: the answer is to blame
            own = "your code gave something that this picture cannot show"
        return drawn(own, meant)

    def catalogue(self, exercise: str, suite: Suite = "hidden", seed: int = 0) -> Catalogue:
        """The misconceptions of an exercise, with what they say in a suite."""
        if (exercise, suite, seed) not in self.catalogues:
            place = room(self.course, self.root, exercise)
            cache = self._kept(place, suite, seed)

            def play(ids: tuple[str, ...], source: str) -> Played:
                path = cache / ("+".join(ids) or "reference")

                def work() -> bool:
                    kept.save(path, self._play(place, source, suite, seed))
                    return True

                record = kept.load(path)
                if record is None and self._apart(place, work):
                    record = kept.load(path)
                if record is None:  # it died, or cannot be kept
                    record = self._run(place, (source,), suite, seed)
                if ids:  # a misconception's answer may break a check as a student's may
                    self._blame(place, record, suite, seed)
                self.records[exercise, suite, seed, (source,)] = record
                return record.conversations

            found = Catalogue(place.reference(), place.misconceptions(), play)
            self.catalogues[exercise, suite, seed] = found
        return self.catalogues[exercise, suite, seed]

    def _kept(self, place: Room, suite: Suite, seed: int) -> Path:
        """The folder of this exercise's conversations; its name stands for all that they depend on."""
        authored = [*sorted(self.root.glob("graders/*.py")), place.misconceptions_file, place.solution]
        authored += [_path(place, suite)]
        authored += [place.building_blocks] if place.building_blocks else []
        authored += [
            path for part in ENGINE for path in sorted((Path(__file__).parents[1] / part).glob("*.py"))
        ]
        texts = [path.read_text(encoding="utf-8") for path in authored]
        versions = [__version__, str(seed), sys.version, getattr(sys.modules.get("torch"), "__version__", "")]
        versions += [repr(self._limits(place)), repr(self.course.kinds)]
        return kept.folder() / f"{self.course.id}-{place.exercise.name}-{kept.key(versions + texts)}"

    def _limits(self, place: Room) -> Limits:
        return place.exercise.limits or self.course.limits

    def _run(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> Record:
        return run(_path(place, suite), self.root, self.course, self._program(place, cells, seed))

    def _apart(self, place: Room, work: Callable[[], object], programs: int = 1) -> Any:
        """What ``work`` returns, done in a copy of this process, within the limits of so many programs."""
        if not self.copied:  # once: a copy would do it anew each time, and pay for every page it touches
            exercise_torch()
            gc.collect()
            gc.freeze()
            self.copied = True
        return apart(work, programs * self._limits(place).cpu_seconds)

    def _play(self, place: Room, source: str, suite: Suite, seed: int) -> Record:
        """The record of an authored program, run in this very process."""
        program = self._program(place, (source,), seed, InProcess)
        return play(
            _path(place, suite), {name: kind.needs for name, kind in self.course.kinds.items()}, program
        )

    def _program(
        self, place: Room, cells: tuple[str, ...], seed: int, start: Callable[[], Asks] | None = None
    ) -> Program:
        limits = self._limits(place)
        bounds = Bounds(limits.cpu_seconds, limits.memory_mb)

        def host() -> Asks:
            return HostProcess(self.warm, bounds, confined=self.confined)

        blocks = place.building_blocks
        given = {"building_blocks": blocks.read_text(encoding="utf-8")} if blocks else {}
        return Program(Code(place.exercise.name, cells, given, self.course.axes), start or host, seed)

    def _mark_sheet(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> ExerciseVerdict:
        exercise, sheet = place.exercise, read_sheet(place.sheet)
        answers = read_answers(sheet, self._program(place, cells, seed))
        if suite == "public":
            done = public_answers(sheet, answers)
            return self._verdict(place, suite, seed, status="graded", points=NOTHING, checks=done)
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
        record = self._record(place, cells, suite, seed)
        worth = exercise.points if suite == "hidden" else None
        done = checks(record.cases, worth, self.course.shares(exercise))
        diagnosis = self._diagnose(place, record, suite, seed)
        mistakes = {item.id: item for item in place.misconceptions()} if diagnosis else {}
        failed = any(check.outcome not in QUIET for check in done)
        told = messages(record.cases, done, diagnosis, mistakes, place.hints() if failed else {})
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

    def _record(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> Record:
        """How a program fares in a suite; known already for a misconception that was played."""
        record = self.records.get((place.exercise.name, suite, seed, cells))
        if record is None:
            record = self._run(place, cells, suite, seed)
        self._blame(place, record, suite, seed)
        return record

    def _blame(self, place: Room, record: Record, suite: Suite, seed: int) -> None:
        """Whose fault is a check that broke? The suite's, unless it works on the reference.

        A check that works there was broken by the answer: an object, or a tensor without numbers, where
        numbers were meant.
        """
        for node, case in record.cases.items():
            if case.outcome is not Outcome.GRADER_ERROR:
                continue
            right: Played = {}
            if record.conversations[node].facts == SUITE:
                right = self.catalogue(place.exercise.name, suite, seed).conversations() or {}
            if node not in right or right[node].outcome is not Outcome.PASSED:
                raise GraderError(f"{case.check}: {case.message}", where=place.address)
            says = "your code gave something that cannot be compared with an answer"
            record.cases[node] = case.model_copy(update={"outcome": Outcome.WRONG_VALUE, "message": says})
            record.conversations[node].outcome = Outcome.WRONG_VALUE
            record.conversations[node].facts = ("incomparable",)

    def _diagnose(self, place: Room, record: Record, suite: Suite, seed: int) -> Diagnosis | None:
        quiet = FATAL | {Outcome.PASSED, Outcome.NOT_REACHED}
        failed = [node for node, case in record.cases.items() if case.outcome not in quiet]
        if not failed:
            return None
        return self.catalogue(place.exercise.name, suite, seed).diagnose(record.conversations, failed)

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
