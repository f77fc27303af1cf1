"""`softmarks gradescope`: what the autograder's scripts call in Gradescope's container."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import course_option, open_course
from softmarks.cli.running import Means, run_class
from softmarks.errors import GraderError, NotConfined

if TYPE_CHECKING:
    from softmarks.course.course import Course
    from softmarks.submission.collecting import Submission
    from softmarks.verdict import Verdict


@click.command(hidden=True)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--prepare", is_flag=True, help="Grade nothing; play the known mistakes of all exercises.")
@course_option
def gradescope(folder: Path, prepare: bool, course_name: str | None) -> None:
    """Grade what lies in FOLDER/submission, and write FOLDER/results/results.json as Gradescope reads it.

    Where the grader fails there is no such file afterwards, and Gradescope says that the autograder failed.
    Where no wall can be proved, programs run all the same: Gradescope's container holds one student's work.
    """
    from softmarks.course.rooms import rooms
    from softmarks.reporting.files import write_atomically
    from softmarks.reporting.gradescope_results import results_json

    root, course = open_course(course_name)
    if prepare:
        _prepare(course, root)
        return
    target = folder / "results" / "results.json"
    target.unlink(missing_ok=True)
    submission, unproved = _handed_in(folder / "submission", course), ""
    try:
        verdict = _verdict(submission, course, root, trust=False)
    except NotConfined as error:
        unproved = error.what
        verdict = _verdict(submission, course, root, trust=True)
    for exercise in verdict.exercises:
        if exercise.status == "grader-error":
            fix = "No mark was written. Run the autograder again"
            raise GraderError(exercise.note, where=exercise.exercise, fix=fix)
    sheets = {place.exercise.name for place in rooms(course, root) if place.is_sheet}
    target.parent.mkdir(exist_ok=True)
    write_atomically(target, results_json(verdict, course.feedback, sheets, unproved))


def _handed_in(folder: Path, course: Course) -> Submission:
    """What one student handed in, which may be nothing."""
    from softmarks.submission.collecting import Submission, read_submission
    from softmarks.submission.names import ignored

    if folder.is_dir() and all(ignored(path.name) for path in folder.iterdir()):
        return Submission(folder.name, {}, str(folder), ("no file of an exercise was found",), ())
    return read_submission(folder, course)


def _verdict(submission: Submission, course: Course, root: Path, *, trust: bool) -> Verdict:
    means = Means(workers=1, dask=None, trust=trust)
    (verdict,) = run_class([submission], course, root, means, done=lambda _verdict: None, before={}, seed=0)
    return verdict


def _prepare(course: Course, root: Path) -> None:
    """Play what is looked up when a program is wrong; it is kept beside what it depends on."""
    from softmarks.course.rooms import rooms
    from softmarks.grading.workers import Worker

    with Worker(root, "optional") as worker:
        for place in rooms(course, root):
            if not place.is_sheet:
                worker.fares(place.exercise.name)
                click.echo(f"{place.exercise.name} is ready")
