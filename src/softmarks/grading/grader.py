"""Grade one exercise of one submission: the suite, the marks, the name of the mistake, the words.

A `Grader` lives in a worker. It holds the course, one warm process, and what the misconceptions of
each exercise said, which is the same for every student.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from softmarks import __version__
from softmarks.course.course import Course, Limits, load_course
from softmarks.course.rooms import Room, room
from softmarks.errors import GraderError
from softmarks.grading import kept
from softmarks.grading.checks import FATAL, SUITE
from softmarks.grading.diagnosis import Catalogue, Diagnosis, Played
from softmarks.grading.feedback import messages
from softmarks.grading.marking import NOTHING, checks
from softmarks.grading.program import Code, Program
from softmarks.grading.suite_run import Record, run
from softmarks.sandbox.client import Asks, Bounds, HostProcess, Warm
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
        self.catalogues: dict[tuple[str, Suite, int], Catalogue] = {}

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
        self, exercise: str, cells: tuple[str, ...], suite: Suite = "hidden", seed: int = 0
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

    def catalogue(self, exercise: str, suite: Suite = "hidden", seed: int = 0) -> Catalogue:
        """The misconceptions of an exercise, with what they say in a suite."""
        if (exercise, suite, seed) not in self.catalogues:
            place = room(self.course, self.root, exercise)
            cache = self._kept(place, suite, seed)

            def play(ids: tuple[str, ...], source: str) -> Played:
                path = cache / ("+".join(ids) or "reference")
                played = kept.load(path)
                if played is None:
                    played = self._run(place, (source,), suite, seed).conversations
                    kept.save(path, played)
                return played

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
        limits = self._limits(place)
        bounds = Bounds(limits.cpu_seconds, limits.memory_mb)

        def start() -> Asks:
            return HostProcess(self.warm, bounds, confined=self.confined)

        blocks = place.building_blocks
        given = {"building_blocks": blocks.read_text(encoding="utf-8")} if blocks else {}
        program = Program(Code(place.exercise.name, cells, given, self.course.axes), start, seed)
        return run(_path(place, suite), self.root, self.course, program)

    def _mark(self, place: Room, cells: tuple[str, ...], suite: Suite, seed: int) -> ExerciseVerdict:
        exercise = place.exercise
        record = self._run(place, cells, suite, seed)
        self._blame(place, record, suite, seed)
        worth = exercise.points if suite == "hidden" else None
        done = checks(record.cases, worth, self.course.shares(exercise))
        diagnosis = self._diagnose(place, record, suite, seed)
        named, hints = {}, {}
        if diagnosis:
            catalogue = self.catalogue(exercise.name, suite, seed)
            named, hints = {item.id: item for item in catalogue.misconceptions}, place.hints()
        again = f"Run softmarks check {exercise.name} to try it on public sizes." if suite == "hidden" else ""
        told = messages(record.cases, done, diagnosis, named, hints, again)
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
