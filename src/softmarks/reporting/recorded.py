"""What a results folder remembers beside the machine's verdicts, and those verdicts as they count.

What was graded and by which policy, the roster and what was agreed with single students, and the marks that
persons gave. A mark that counts is worked out from these facts each time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from softmarks.course.course import Course, Late
from softmarks.course.faults import near
from softmarks.errors import UsageError
from softmarks.grading.judging import Override, judged
from softmarks.grading.lateness import on_terms, terms_of
from softmarks.grading.sharing import Sharing
from softmarks.reporting.pages import Pages
from softmarks.reporting.trail import read_events, unreadable
from softmarks.submission.exceptions import Exemption, read_exceptions
from softmarks.submission.matching import Work, ids_of, matched, plain_id
from softmarks.submission.names import printable
from softmarks.submission.roster import Roster, Student, read_roster
from softmarks.verdict import Verdict

RUN = "run.json"
ROSTER = "roster.csv"
EXCEPTIONS = "exceptions.csv"
OVERRIDE = "override"  # what such an event of the audit trail is called
LONGEST = 60  # characters of a name in a line for the terminal


class Run(BaseModel):
    """What was graded into a results folder: where the work lay, which part of the course, which policy."""

    model_config = ConfigDict(frozen=True)

    paths: tuple[str, ...]
    course: str = ""  # where it is, or under which name it is installed
    only: tuple[str, ...] = ()
    seed: int = 0
    times: tuple[str, ...] = ()
    trust_times: bool = False
    pseudonyms: bool = False
    assignments: tuple[str, ...] = ()  # all of the course
    due: Mapping[str, datetime] = {}
    late: Late = Late()

    def by(self, course: Course) -> Run:
        """The same with the policy of a course."""
        due = {part.name: part.due for part in course.assignments if part.due}
        names = tuple(part.name for part in course.assignments)
        return self.model_copy(update={"assignments": names, "due": due, "late": course.late})


class Settling:
    """Makes a machine's verdict one that counts: with what persons gave, and what late work loses.

    ``works`` are those who handed in; ``matching`` brings them together with the roster, where there is one.
    """

    def __init__(
        self,
        run: Run,
        given: Sequence[Override],
        roster: Roster | None,
        exemptions: Sequence[Exemption],
        works: Sequence[Work],
    ) -> None:
        self.given = given
        self.roster = roster
        self.exemptions = exemptions
        self.everybody = terms_of(run.late, run.due, None, ())
        students = roster.students if roster else [Student(work.student) for work in works]
        self.matching = matched(works, students)
        self.terms = {
            work.student: terms_of(run.late, run.due, student, exemptions)
            for student, work in self.matching.pairs
        }

    def __call__(self, verdict: Verdict) -> Verdict:
        """The verdict that counts."""
        own = [one.exercise for one in self.given if one.student == verdict.student and not one.check]
        terms = self.terms.get(verdict.student, self.everybody)
        return on_terms(judged(verdict, self.given), terms, own)

    def notes(self) -> list[str]:
        """Lines about work that belongs to nobody in the roster, and about what was agreed with nobody."""
        known = {plain_id(student.student_id) for student, _ in self.matching.pairs}
        lines = [f"not in the roster: {printable(one.student, LONGEST)}" for one in self.matching.unknown]
        lines += [
            f"not clear whose it is: {printable(one.student, LONGEST)} (the roster has {len(rows)})"
            for one, rows in self.matching.ambiguous
        ]
        return lines + [
            f"{EXCEPTIONS}, line {one.line}: nobody is called {printable(one.student_id, LONGEST)}"
            for one in self.exemptions
            if plain_id(one.student_id) not in known
        ]


def settling(
    folder: Path,
    works: Sequence[Work],
    run: Run | None = None,
    roster: Path | None = None,
    exceptions: Path | None = None,
) -> Settling:
    """What holds in a results folder; with another policy, roster or exceptions in the place of its own."""
    run = run or _run(folder)
    roster, exceptions = roster or folder / ROSTER, exceptions or folder / EXCEPTIONS
    return Settling(
        run,
        read_overrides(folder),
        read_roster(roster) if roster.is_file() else None,
        read_exceptions(exceptions, run.assignments) if exceptions.is_file() else (),
        works,
    )


def student_called(folder: Path, works: Sequence[Work], text: str) -> str:
    """The name of a student's work: ``text`` is this, or what the roster or pages without names call them.

    Raises UsageError where it is nobody's, or of more than one. A number is never taken for a similar one.
    """
    names = [work.student for work in works]
    if text in names:
        return text
    settled, pages = settling(folder, works), pages_of(folder)
    pairs = settled.matching.pairs if settled.roster else ()
    found = {
        work.student
        for student, work in pairs
        if text.strip() and (plain_id(text) in ids_of(student) or text.casefold() == student.name.casefold())
    }
    found |= {name for name in names if pages.pseudonyms and pages.name(name) == text}
    if len(found) == 1:
        return found.pop()
    if found:
        listed = ", ".join(sorted(found))
        raise UsageError(f'"{text}" is several students: {listed}', where=folder, fix="Name one of them")
    fix = "The students are in grades.csv" if re.search(r"\d", text) else near(text, names)
    raise UsageError(f'there is no student "{text}" here', where=folder, fix=fix)


def roster_ids(folder: Path, verdicts: Sequence[Verdict]) -> dict[str, str]:
    """The id that the roster gives to each student of whom it is clear, by the name of the work."""
    settled = settling(folder, verdicts)
    return {work.student: row.student_id for row, work in settled.matching.pairs} if settled.roster else {}


N = TypeVar("N", Verdict, Override)


def renamed(about: N, ids: Mapping[str, str]) -> N:
    """What is said of a student, under the id that is known of them."""
    return about.model_copy(update={"student": ids.get(about.student, about.student)})


def pages_of(folder: Path) -> Pages:
    """What the pages of a results folder are called."""
    return Pages(folder, pseudonyms=_run(folder).pseudonyms)


def _run(folder: Path) -> Run:
    return read_run(folder) if (folder / RUN).is_file() else Run(paths=())


def read_run(folder: Path) -> Run:
    """What was graded into a results folder. Raises UsageError where that is not written."""
    try:
        return Run.model_validate_json((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        fix = "Name a folder that softmarks grade wrote"
        raise UsageError("it does not say what was graded into it", where=folder, fix=fix) from error


def read_overrides(folder: Path) -> list[Override]:
    """The marks that persons gave, in their order. Raises UsageError for a line that cannot be read."""
    found = []
    for event in read_events(folder):
        if event.content.get("what") == OVERRIDE:
            try:
                found.append(Override.model_validate(event.content))
            except ValueError:
                raise unreadable(folder, event.line) from None
    return found


def read_verdicts(folder: Path) -> list[Verdict]:
    """The verdicts in a results folder as they count, sorted by file name.

    Raises UsageError when the folder holds none, or one that cannot be read.
    """
    verdicts = read_machine_verdicts(folder)
    return [*map(settling(folder, verdicts), verdicts)]


def read_judged_verdicts(folder: Path) -> list[Verdict]:
    """The verdicts with the marks that persons gave, as if nothing were late; see `read_verdicts`."""
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
    return [*map(Sharing(), map(read_verdict, paths))]


def read_verdict(path: Path) -> Verdict:
    """One machine's verdict. Raises UsageError when it cannot be read."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return Verdict.model_validate({name: record[name] for name in record if name in Verdict.model_fields})
    except (OSError, ValueError, TypeError, RecursionError) as error:
        fix = "Grade this submission again"
        raise UsageError(f"this verdict cannot be read: {error}", where=path, fix=fix) from None
