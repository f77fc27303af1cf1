"""What `softmarks grade` and `regrade` share: a class run, seen by whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from softmarks.cli.options import F, console, trust_option, workers_option

if TYPE_CHECKING:
    from softmarks.course.course import Course
    from softmarks.reporting.recorded import Run
    from softmarks.submission.collecting import Submission
    from softmarks.verdict import Verdict

dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Grade on the Dask cluster whose scheduler is there, not on this machine.",
)


class Means(NamedTuple):
    """What a class is graded with."""

    workers: int
    dask: str | None
    trust: bool


def means_options(command: F) -> F:
    """The options that make up `Means`, which the command receives as ``means``."""

    @wraps(command)
    def run(*, workers: int, dask: str | None, trust: bool, **values: Any) -> Any:
        return command(means=Means(workers, dask, trust), **values)

    return cast("F", workers_option("submissions are graded")(dask_option(trust_option(run))))


class Facts(NamedTuple):
    """What is known of a class beside its work."""

    roster: Path | None
    exceptions: Path | None
    times: tuple[Path, ...]
    trust_times: bool

    def given(self, before: Run) -> Facts:
        """These, and the times of an earlier run where none are given now."""
        return self._replace(
            times=self.times or tuple(map(Path, before.times)),
            trust_times=self.trust_times or before.trust_times,
        )


def facts_options(command: F) -> F:
    """The options that make up `Facts`, which the command receives as ``facts``."""

    @wraps(command)
    def run(
        *,
        roster: Path | None,
        exceptions: Path | None,
        times: tuple[Path, ...],
        trust_times: bool,
        **values: Any,
    ) -> Any:
        return command(facts=Facts(roster, exceptions, times, trust_times), **values)

    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    for option in (
        click.option(
            "--trust-times", is_flag=True, help="Where no record has a time, believe the students' files."
        ),
        click.option(
            "--times", metavar="CSV", multiple=True, type=file,
            help="When work was handed in, by the LMS; may be given again.",
        ),
        click.option(
            "--exceptions", metavar="CSV", type=file,
            help="What was agreed: student_id, assignment, new_due or extra_days or excused, reason.",
        ),
        click.option(
            "--roster", metavar="CSV", type=file,
            help="The students: student_id, and name, email, lms_id, section, late_days.",
        ),
    ):  # fmt: skip
        run = option(run)
    return cast("F", run)


def read_work(
    paths: Sequence[Path], whole: Course, course: Course, folder: Path, facts: Facts
) -> list[Submission]:
    """The submissions of a class with their times; with nothing, who is on the roster and did not hand in.

    A file of ``whole`` that is not of ``course``, the part that is graded, is no stray file.
    """
    from softmarks.reporting.recorded import ROSTER
    from softmarks.submission.collecting import Submission, read_class
    from softmarks.submission.matching import matched
    from softmarks.submission.names import listing, quoted
    from softmarks.submission.roster import read_roster
    from softmarks.submission.shelf import Shelf
    from softmarks.submission.times import exchange_times, read_times, timed, unplaced

    names = [part.name for part in course.assignments]
    zone = next((part.due.tzinfo for part in course.assignments if part.due), None)
    tables = [read_times(path, names, zone) for path in facts.times]
    exchange = [*exchange_times(paths, names)]
    submissions = read_class(paths, whole, Shelf().put)
    if lost := unplaced(submissions, tables):
        handed = f"{len(lost)} handed in by the tables of times, and no work here is known to be theirs"
        click.echo(f"{handed}: {listing(map(quoted, lost))}", err=True)
    roster = facts.roster or folder / ROSTER
    if roster.is_file():
        found = matched(submissions, read_roster(roster).students)
        perhaps = [student for _, students in found.ambiguous for student in students]
        for student in found.without_work:
            if student not in perhaps:  # else there is work that may be this student's: listed, no zero
                submissions.append(Submission(student.student_id, {}, "", (), ()))
    return timed(submissions, tables, exchange, course, trust=facts.trust_times)


def run_class(
    submissions: Sequence[Submission],
    course: Course,
    root: Path,
    means: Means,
    *,
    done: Callable[[Verdict], None],
    before: Mapping[str, Verdict],
    seed: int,
) -> list[Verdict]:
    """Grade a class, and show how far it has come. Raises UsageError where ``course.lock`` forbids it."""
    from softmarks.grading.classroom import grade_class
    from softmarks.grading.lock import refuse_differences
    from softmarks.grading.pools import on_a_cluster, on_this_machine
    from softmarks.reporting.progress import ClassProgress

    refuse_differences(course, root)
    pools = on_a_cluster(means.dask) if means.dask else on_this_machine(means.workers)
    with ClassProgress(console(error=True), len(submissions)) as progress, pools as (pool, at_once):
        return grade_class(
            submissions, course, root, pool, at_once,
            trust=means.trust, seed=seed, progress=progress, done=done, before=before,
        )  # fmt: skip
