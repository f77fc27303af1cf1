"""The results folder of a class: verdicts, feedback, grades. Written by one run at a time, atomically."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from pydantic import BaseModel, ConfigDict

from softmarks.course.course import Course
from softmarks.errors import UsageError
from softmarks.grading.judging import Override, judged
from softmarks.reporting.files import feedback_name, write_atomically
from softmarks.reporting.html import class_html, feedback_html
from softmarks.reporting.markdown import feedback_markdown
from softmarks.reporting.sheets import grades_csv
from softmarks.reporting.tally import taught
from softmarks.verdict import Verdict

RUN = "run.json"
TRAIL = "audit-trail.jsonl"
OVERRIDE = "override"  # what such a line of it is called


class Run(BaseModel):
    """What was graded into a results folder: where the work lay, and which part of the course it was."""

    model_config = ConfigDict(frozen=True)

    paths: tuple[str, ...]
    only: tuple[str, ...] = ()


class Results:
    """A results folder while a class is graded into it. A second run on it is refused, nothing is lost."""

    def __init__(self, folder: Path, course: Course, students: Sequence[str]) -> None:
        self.folder = folder
        self.course = course
        self.names = {one: feedback_name(one).removesuffix(".html") for one in students}
        self.given: list[Override] = []  # by persons
        self.lock = -1

    def __enter__(self) -> Results:
        try:
            for name in ("verdicts", "feedback"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            self.lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            fix = "Choose a folder that can be written"
            raise UsageError(
                f"no results can be written: {error.strerror}", where=self.folder, fix=fix
            ) from error
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self.lock)
            fix = "Wait for it to end, or choose another folder with -o"
            raise UsageError("another run is writing its results here", where=self.folder, fix=fix) from error
        self.given = read_overrides(self.folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.lock)

    def begin(self, run: Run) -> None:
        """Remember what is graded here."""
        write_atomically(self.folder / RUN, run.model_dump_json(indent=2) + "\n")

    def note(self, events: Sequence[Mapping[str, object]]) -> None:
        """Add to what is kept for ever: what changed a mark, and when."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        lines = [json.dumps({"at": at, **event}) + "\n" for event in events]
        with (self.folder / TRAIL).open("a", encoding="utf-8") as trail:
            trail.writelines(lines)

    def give(self, given: Sequence[Override]) -> None:
        """Keep marks that a person gave."""
        self.note([{"what": OVERRIDE, **one.model_dump(mode="json")} for one in given])
        self.given += given

    def settled(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Verdicts with the marks that persons gave."""
        return [judged(verdict, self.given) for verdict in verdicts]

    def known(self) -> dict[str, Verdict]:
        """The verdicts that an earlier run left here, by student; one that cannot be read is none."""
        found = {}
        for path in sorted((self.folder / "verdicts").glob("*.json")):
            with suppress(UsageError):
                verdict = _verdict(path)
                found[verdict.student] = verdict
        return found

    def add(self, verdict: Verdict) -> None:
        """Write one student's verdict, as the machine made it, and feedback page, with a person's marks."""
        name = self.names[verdict.student]
        record = {**verdict.model_dump(mode="json"), "points": float(verdict.points)}
        record["max_points"] = float(verdict.max_points)
        write_atomically(self.folder / "verdicts" / f"{name}.json", json.dumps(record, indent=2) + "\n")
        told, policy = judged(verdict, self.given), self.course.feedback
        page = feedback_html(told, policy=policy, course=self.course)
        write_atomically(self.folder / "feedback" / f"{name}.html", page)
        text = feedback_markdown(told, policy=policy, course=self.course)
        write_atomically(self.folder / "feedback" / f"{name}.md", text)

    def finish(self, verdicts: Sequence[Verdict]) -> None:
        """Write the grade sheet and the overview of the class."""
        verdicts = self.settled(verdicts)
        exercises = [exercise.name for exercise in self.course.exercises]
        write_atomically(self.folder / "grades.csv", grades_csv(verdicts, exercises, taught(self.course)))
        write_atomically(self.folder / "index.html", class_html(verdicts, self.course))


def read_run(folder: Path) -> Run:
    """What was graded into a results folder. Raises UsageError where that is not written."""
    try:
        return Run.model_validate_json((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        fix = "Name a folder that softmarks grade wrote"
        raise UsageError("it does not say what was graded into it", where=folder, fix=fix) from error


def read_overrides(folder: Path) -> list[Override]:
    """The marks that persons gave, in their order. Raises UsageError for a line that cannot be read."""
    path, found = folder / TRAIL, []
    if not path.is_file():
        return []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            event = json.loads(line)
            if event["what"] == OVERRIDE:
                found.append(Override.model_validate(event))
        except (ValueError, KeyError, TypeError):
            fix = "Repair the line: a person's marks are in this file"
            raise UsageError("this line cannot be read", where=path, line=number, fix=fix) from None
    return found


def read_verdicts(folder: Path) -> list[Verdict]:
    """The verdicts in a results folder, with the marks that persons gave, sorted by file name.

    Raises UsageError when the folder holds none, or one that cannot be read.
    """
    given = read_overrides(folder)
    return [judged(verdict, given) for verdict in read_machine_verdicts(folder)]


def read_machine_verdicts(folder: Path) -> list[Verdict]:
    """The verdicts as the machine made them, sorted by file name.

    Raises UsageError when the folder holds none, or one that cannot be read.
    """
    paths = sorted((folder / "verdicts").glob("*.json"))
    if not paths:
        fix = "Name a folder that softmarks grade wrote"
        raise UsageError("there are no verdicts here", where=folder, fix=fix)
    return [_verdict(path) for path in paths]


def _verdict(path: Path) -> Verdict:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return Verdict.model_validate({name: record[name] for name in record if name in Verdict.model_fields})
    except (OSError, ValueError, TypeError) as error:
        fix = "Grade this submission again"
        raise UsageError(f"this verdict cannot be read: {error}", where=path, fix=fix) from None
