"""`softmarks export`: marks as the file that a learning platform imports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import assignments_option, course_option, only_assignments, open_course
from softmarks.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from softmarks.reporting.exports import Column, Export
    from softmarks.submission.roster import Roster
    from softmarks.verdict import Verdict

BULK = {
    "canvas": "Grade the zip that Canvas gives at Download Submissions, as it is",
    "moodle": "Grade what Moodle gives at Download all submissions, or add --template with its worksheet",
}


@click.command()
@click.argument("platform", type=click.Choice(["canvas", "moodle", "gradescope"]))
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="CSV",
    required=True,
    type=click.Path(path_type=Path),
    help="Where the file goes.",
)
@click.option(
    "--roster",
    "roster_file",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help="The students: student_id, and name, email, lms_id, section. Default: as given to softmarks grade.",
)
@click.option(
    "--template",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help="Canvas's gradebook or Moodle's grading worksheet, to be filled in.",
)
@click.option(
    "--feedback",
    metavar="ZIP",
    type=click.Path(path_type=Path),
    help="Also write the feedback pages, as the platform takes them.",
)
@assignments_option
@course_option
def export(
    platform: str,
    results: Path,
    output: Path,
    roster_file: Path | None,
    template: Path | None,
    feedback: Path | None,
    assignments: tuple[str, ...],
    course_name: str | None,
) -> None:
    """Write marks as Canvas, Moodle or Gradescope has them: a column an assignment.

    RESULTS is the folder that softmarks grade wrote. An assignment in which an exercise has no mark gets
    none. Exit status 1 when work of somebody could not be placed.

    \b
    Examples:
      softmarks export canvas results -o marks.csv --template gradebook.csv
      softmarks export moodle results -o marks.csv --roster roster.csv --assignment 2_loops
    """
    from softmarks.reporting.exports import columns_of
    from softmarks.reporting.files import write_atomically
    from softmarks.reporting.recorded import ROSTER, read_verdicts
    from softmarks.submission.roster import read_roster

    if platform == "gradescope" and (feedback or template):
        given = "feedback files" if feedback else "file to fill in"
        raise UsageError(f"Gradescope has no {given}", fix="Leave the option out")
    for path in (roster_file, template):
        if path is not None and path.absolute() in {output.absolute(), feedback and feedback.absolute()}:
            raise UsageError("this file is to be read and written", where=path, fix="Name another with -o")
    _, course = open_course(course_name)
    verdicts = read_verdicts(results)
    recorded = results / ROSTER
    roster = read_roster(roster_file or recorded) if roster_file or recorded.is_file() else None
    columns = columns_of(only_assignments(course, assignments), verdicts)
    done = _exported(platform, verdicts, columns, roster, template)
    notes = [*done.notes]
    data = b""
    if feedback is not None:
        data, without = _packed(platform, done, results)
        notes += without
    write_atomically(output, done.text)
    if feedback is not None:
        write_atomically(feedback, data)
    for note in notes:
        click.echo(note)
    names = ", ".join(column.name for column in columns)
    click.echo(f"wrote {output}: {names} of {len(done.handed)} students")
    if feedback is not None:
        click.echo(f"wrote {feedback}")
    if done.lost:
        click.get_current_context().exit(1)


def _exported(
    platform: str,
    verdicts: Sequence[Verdict],
    columns: Sequence[Column],
    roster: Roster | None,
    template: Path | None,
) -> Export:
    from softmarks.reporting import canvas, gradescope, moodle

    if platform == "gradescope":
        return gradescope.course_grades(verdicts, columns, roster)
    if platform == "canvas":
        if template is None:
            return canvas.gradebook(verdicts, columns, roster)
        return canvas.filled_gradebook(verdicts, columns, roster, template)
    if template is None:
        return moodle.grades(verdicts, columns, roster)
    return moodle.filled_worksheet(verdicts, columns, roster, template)


def _packed(platform: str, done: Export, results: Path) -> tuple[bytes, list[str]]:
    from softmarks.reporting import canvas, moodle
    from softmarks.reporting.handing_back import feedback_zip

    named = canvas.feedback_name if platform == "canvas" else moodle.feedback_name
    return feedback_zip(done.handed, named, results, BULK[platform])
