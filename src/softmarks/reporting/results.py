"""The results folder of a class: verdicts, feedback, grades. Written by one run at a time, atomically."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType

from softmarks.course.course import Course
from softmarks.errors import UsageError
from softmarks.grading.judging import Override
from softmarks.grading.sharing import Sharing
from softmarks.reporting.files import remove_unfinished, safe_stem, write_atomically
from softmarks.reporting.html import class_html, feedback_html
from softmarks.reporting.markdown import feedback_markdown
from softmarks.reporting.pages import Pages
from softmarks.reporting.recorded import (
    EXCEPTIONS,
    OVERRIDE,
    ROSTER,
    RUN,
    Run,
    Settling,
    pages_of,
    read_verdict,
    settling,
)
from softmarks.reporting.sheets import grades_csv, pages_csv
from softmarks.reporting.tally import taught
from softmarks.reporting.trail import add_events, read_events
from softmarks.submission.matching import Work
from softmarks.verdict import Verdict


class Results:
    """A results folder while a class is graded into it. A second run on it is refused, nothing is lost."""

    def __init__(self, folder: Path, course: Course, works: Sequence[Work]) -> None:
        self.folder = folder
        self.course = course
        self.works = works
        self.lock = -1

    def __enter__(self) -> Results:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # marks are nobody else's business
            for name in ("verdicts", "feedback"):
                (self.folder / name).mkdir(exist_ok=True)
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
        for folder in (self.folder, self.folder / "verdicts", self.folder / "feedback"):
            remove_unfinished(folder)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.lock)

    def begin(self, run: Run, roster: Path | None = None, exceptions: Path | None = None) -> None:
        """Remember what is graded here, by the course's policy; and a roster and exceptions, where given.

        Pages under the other kind of names are deleted.
        """
        if run.pseudonyms != self.pages.pseudonyms:
            for page in (self.folder / "feedback").iterdir():
                page.unlink()
        for name, path in ((ROSTER, roster), (EXCEPTIONS, exceptions)):
            if path is not None:
                write_atomically(self.folder / name, path.read_bytes())
        write_atomically(self.folder / RUN, run.model_dump_json(indent=2) + "\n")
        self._forget("settled", "pages")

    def holds(self, works: Sequence[Work]) -> None:
        """These are all the works from now on."""
        self.works = works
        self._forget("settled")

    def _forget(self, *names: str) -> None:
        """Work these out anew when they are asked for next."""
        for name in names:
            self.__dict__.pop(name, None)

    @cached_property
    def pages(self) -> Pages:
        """What the pages are called."""
        return pages_of(self.folder)

    @cached_property
    def settled(self) -> Settling:
        """What makes a machine's verdict one that counts. Read when it is first used."""
        return settling(self.folder, self.works)

    def note(self, events: Sequence[Mapping[str, object]]) -> None:
        """Add to what is kept for ever: what changed a mark, and when."""
        add_events(self.folder, events, datetime.now(UTC).isoformat(timespec="seconds"))

    def note_once(self, events: Sequence[Mapping[str, object]]) -> None:
        """Note events, but for those that repeat, apart from the time, what was noted last of the same mark.

        A regrade that was stopped after this may be run again.
        """
        last = {
            (event.content.get("student"), event.content.get("exercise")): event.content
            for event in read_events(self.folder)
        }
        known = [{**each, "at": None} for each in last.values()]
        self.note([event for event in events if {**event, "at": None} not in known])

    def give(self, given: Sequence[Override]) -> None:
        """Keep marks that a person gave."""
        self.note([{"what": OVERRIDE, **one.model_dump(mode="json")} for one in given])
        self._forget("settled")

    def known(self) -> dict[str, Verdict]:
        """The verdicts that an earlier run left here, by student; one that cannot be read is none."""
        found, share = {}, Sharing()
        for path in sorted((self.folder / "verdicts").glob("*.json")):
            with suppress(UsageError):
                verdict = share(read_verdict(path))
                found[verdict.student] = verdict
        return found

    def add(self, verdict: Verdict) -> None:
        """Write one student's verdict, as the machine made it, and feedback page, with what counts."""
        name = safe_stem(verdict.student)
        record = {**verdict.model_dump(mode="json"), "points": float(verdict.points)}
        record["max_points"] = float(verdict.max_points)
        write_atomically(self.folder / "verdicts" / f"{name}.json", json.dumps(record, indent=2) + "\n")
        shown, policy = self.pages.shown(self.settled(verdict)), self.course.feedback
        stem = self.folder / "feedback" / self.pages.stem(verdict.student)
        page = feedback_html(shown, policy=policy, course=self.course)
        write_atomically(stem.with_name(f"{stem.name}.html"), page)
        text = feedback_markdown(shown, policy=policy, course=self.course)
        write_atomically(stem.with_name(f"{stem.name}.md"), text)

    def finish(self, verdicts: Sequence[Verdict]) -> None:
        """Write the grade sheet and the overview of the class, which these verdicts are all of."""
        self.holds(verdicts)
        verdicts = [*map(self.settled, verdicts)]
        exercises = [exercise.name for exercise in self.course.exercises]
        write_atomically(self.folder / "grades.csv", grades_csv(verdicts, exercises, taught(self.course)))
        pages = {
            self.pages.name(one.student): f"feedback/{self.pages.stem(one.student)}.html" for one in verdicts
        }
        shown = sorted(map(self.pages.shown, verdicts), key=lambda one: one.student.casefold())
        write_atomically(self.folder / "index.html", class_html(shown, self.course, pages))
        students = [verdict.student for verdict in verdicts]
        write_atomically(self.folder / "pages.csv", pages_csv(students, self.pages))
