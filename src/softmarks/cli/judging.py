"""`softmarks override` and `softmarks review`: a person's marks, kept for ever with their reasons."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import console, course_option, open_course, results_argument
from softmarks.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from softmarks.course.sheets import FreeQuestion
    from softmarks.grading.judging import Open, Override


def points_of(_context: object, _parameter: object, text: str) -> Decimal:
    """Points with at most two decimals. Raises click.BadParameter for anything else."""
    try:
        points = Decimal(text.strip().replace(",", "."))
        whole = points == round(points, 2)
    except ArithmeticError:
        whole = False
    if not whole or points < 0:
        raise click.BadParameter(f"{text} is no number of points, such as 3 or 2.5")
    return points


by_option = click.option("--by", metavar="NAME", required=True, help="Who gives the mark.")


@click.command()
@results_argument
@click.argument("student")
@click.argument("what", metavar="EXERCISE[:CHECK]")
@click.option("--points", callback=points_of, required=True, help="The points to give.")
@click.option("--reason", metavar="TEXT", required=True, help="Why; the student reads it.")
@by_option
@course_option
def override(
    results: Path, student: str, what: str, points: Decimal, reason: str, by: str, course_name: str | None
) -> None:
    """Give a mark by hand, instead of the machine's.

    It stays, whatever is graded again, until another one is given. The student's page says the points, the
    reason and who gave them. The machine's verdict is kept beside it.

    \b
    Example:
      softmarks override results ada17 word_count --points 4.5 --reason "Right, but named Count" --by Kim
    """
    from softmarks.grading.judging import Override

    exercise, _, check = what.partition(":")
    given = Override(
        student=student, exercise=exercise, check=check, points=points, reason=reason, by=by, at=_now()
    )
    (kept,) = _give(results, course_name, [given])
    click.echo(f"{kept.student}, {what}: {points:.2f} points")


@click.command()
@results_argument
@by_option
@click.option(
    "--csv",
    "sheet",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what waits into a sheet, to be filled in.",
)
@click.option(
    "--read",
    "filled",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read a sheet that was filled in.",
)
@course_option
def review(results: Path, by: str, sheet: Path | None, filled: Path | None, course_name: str | None) -> None:
    """Go through what waits for a person: answers in words, and files that could not be read.

    One after the other in the terminal; or in a sheet, with --csv and then --read. Enter leaves one open.

    \b
    Examples:
      softmarks review results --by Kim
      softmarks review results --by Kim --csv to_read.csv
      softmarks review results --by Kim --read to_read.csv
    """
    from softmarks.grading.judging import waiting
    from softmarks.reporting.files import write_atomically
    from softmarks.reporting.recorded import read_machine_verdicts, read_overrides
    from softmarks.reporting.reviewing import as_sheet, read_sheet

    verdicts = read_machine_verdicts(results)
    found = list(waiting(verdicts, read_overrides(results)))
    if sheet is not None:
        if sheet.exists():
            raise UsageError("there is a file already", where=sheet, fix="Name another one")
        asked = _questions(found, course_name)
        write_atomically(sheet, as_sheet([*zip(found, asked, strict=True)]))
        click.echo(f"wrote {sheet}: {len(found)} to read. Fill in points and reason, then --read it")
        return
    if filled is not None:
        given = read_sheet(filled, [one.student for one in verdicts], by, _now())
        _give(results, course_name, given)
        click.echo(f"{len(given)} marks given")
        return
    if not found:
        click.echo("Nothing waits for a person.")
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", fix="Use --csv FILE, then --read FILE")
    _ask(results, found, by, course_name)


def _ask(results: Path, found: Sequence[Open], by: str, course_name: str | None) -> None:
    """One after the other: what was written, what to look for, then points and a reason."""
    from softmarks.grading.judging import Override
    from softmarks.reporting.reviewing import print_open

    asked = _questions(found, course_name)
    for number, (one, question) in enumerate(zip(found, asked, strict=True), 1):
        print_open(console(), one, question, f"{number} of {len(found)}")
        points = click.prompt(
            f"Points, 0 to {one.max_points:.2f}",
            default="",
            show_default=False,
            value_proc=partial(_up_to, one),
        )
        if points is None:
            continue
        reason = click.prompt("Reason", default="read by a person")
        given = Override(
            student=one.student,
            exercise=one.exercise,
            check=one.check,
            points=points,
            reason=reason,
            by=by,
            at=_now(),
        )
        _give(results, course_name, [given])  # at once: who stops in the middle loses nothing


def _questions(found: Sequence[Open], course_name: str | None) -> list[FreeQuestion | None]:
    """What was asked, for each that waits; None where it is no answer in words."""
    from softmarks.course.rooms import room
    from softmarks.course.sheets import read_sheet

    root, course = open_course(course_name)
    free: dict[str, dict[str, FreeQuestion]] = {}
    for one in found:
        if one.exercise not in free:
            sheet = room(course, root, one.exercise).sheet
            free[one.exercise] = {each.id: each for each in read_sheet(sheet).free} if sheet.is_file() else {}
    return [free[one.exercise].get(one.check) for one in found]


def _up_to(one: Open, answer: str) -> Decimal | None:
    """The points of an answer, None without one. Raises click.UsageError, so that it is asked again."""
    if not answer.strip():
        return None
    points = points_of(None, None, answer)
    if points > one.max_points:
        raise click.BadParameter(f"it is worth {one.max_points:.2f} points")
    return points


def _give(results: Path, course_name: str | None, given: Sequence[Override]) -> list[Override]:
    """Keep marks, and write pages and sheets anew; the marks under the names by which work is known.

    One that makes no sense, and none is kept.
    """
    from softmarks.grading.judging import refuse_nonsense
    from softmarks.reporting.recorded import read_machine_verdicts, read_run, renamed, student_called
    from softmarks.reporting.results import Results

    _, whole = open_course(course_name)
    course = whole.part(read_run(results).only)
    with Results(results, course, ()) as written:
        verdicts = read_machine_verdicts(results)
        written.holds(verdicts)
        called = {one.student: student_called(results, verdicts, one.student) for one in given}
        given = [renamed(one, called) for one in given]
        for one in given:
            refuse_nonsense(one, verdicts)
        written.give(given)
        for verdict in verdicts:
            if verdict.student in {one.student for one in given}:
                written.add(verdict)
        written.finish(verdicts)
    return given


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
