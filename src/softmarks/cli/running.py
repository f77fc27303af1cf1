"""What `softmarks grade` and `regrade` share: a class run, seen by whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from softmarks.cli.options import F, console, trust_option, workers_option

if TYPE_CHECKING:
    from softmarks.course.course import Course
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
    """The options that make up `Means`."""
    return workers_option("submissions are graded")(dask_option(trust_option(command)))


def run_class(
    submissions: Sequence[Submission],
    course: Course,
    root: Path,
    means: Means,
    *,
    done: Callable[[Verdict], None],
    before: Mapping[str, Verdict],
) -> list[Verdict]:
    """Grade a class, and show how far it has come."""
    from softmarks.grading.classroom import grade_class
    from softmarks.grading.pools import on_a_cluster, on_this_machine
    from softmarks.reporting.progress import class_progress

    pools = on_a_cluster(means.dask) if means.dask else on_this_machine(means.workers)
    with class_progress(console(error=True), len(submissions)) as progress, pools as (pool, at_once):
        return grade_class(
            submissions, course, root, pool, at_once,
            trust=means.trust, progress=progress, done=done, before=before,
        )  # fmt: skip
