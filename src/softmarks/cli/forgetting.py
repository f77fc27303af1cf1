"""`softmarks forget`: take a student out of results."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from softmarks.cli.options import course_option, open_course, results_argument
from softmarks.errors import UsageError


@click.command()
@results_argument
@click.argument("student")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@course_option
def forget(results: Path, student: str, yes: bool, course_name: str | None) -> None:
    """Take a STUDENT out of RESULTS: verdict, pages, rows of tables, the name in the audit trail.

    What was handed in lies elsewhere and is not touched: you are told where. While it is there, grading
    again brings the student back.

    \b
    Example:
      softmarks forget results ada17
    """
    from softmarks.reporting.forgetting import forget as take_out
    from softmarks.reporting.recorded import read_machine_verdicts, read_run, student_called
    from softmarks.reporting.results import Results

    _, whole = open_course(course_name)
    run = read_run(results)
    student = student_called(results, read_machine_verdicts(results), student)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("nobody can be asked here", fix="Add --yes")
        click.confirm(f"Remove every result of {student}? There is no way back", abort=True)
    with Results(results, whole.part(run.only), ()) as written:
        verdicts = read_machine_verdicts(results)
        written.holds(verdicts)
        rows = [row for row, one in written.settled.matching.pairs if one.student == student]
        take_out(results, student, rows[0] if written.settled.roster and rows else None)
        written.finish([verdict for verdict in verdicts if verdict.student != student])
        written.note([{"what": "forget"}])
    click.echo(f"{student} is forgotten here. The work itself lies where it was handed in:")
    for path in run.paths:
        click.echo(f"  {path}")
