"""`softmarks release`: what students get before and after the deadline, and what Gradescope gets."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import assignments_option, course_option, only_assignments, open_course, waiting
from softmarks.errors import UsageError

if TYPE_CHECKING:
    from softmarks.course.course import Course

MOST_LEAKS = 20
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)

output_option = click.option(
    "-o",
    "--output",
    metavar="DIR|ZIP",
    required=True,
    type=click.Path(path_type=Path),
    help="A new folder, or a file that ends in .zip.",
)


@click.group()
def release() -> None:
    """Write what students get, before the deadline and after it, and the autograder for Gradescope."""


@release.command()
@assignments_option
@output_option
@click.option("--notebooks", is_flag=True, help="Exercises as notebooks, not as .py files.")
@click.option(
    "--colab",
    "github",
    metavar="OWNER/REPO",
    help="Notebooks that open in Colab, once the edition lies in this repository of GitHub's.",
)
@course_option
def student(
    assignments: tuple[str, ...],
    output: Path,
    notebooks: bool,
    github: str | None,
    course_name: str | None,
) -> None:
    """Write the student edition: stubs, public checks, hints and what names a mistake, but no answer.

    The engine is in it as a wheel, with settings for an editor and a workflow for GitHub. Every byte is
    searched for lines of solutions, hidden suites, alternatives and misconceptions before it is written.

    \b
    Examples:
      softmarks release student -o ../for_students
      softmarks release student --assignment 2_loops -o ../loops.zip
      softmarks release student --colab ada/course -o ../for_students
    """
    from softmarks.course.packing import put, refuse_what_is_there
    from softmarks.grading.release import student_edition

    if github and not REPOSITORY.fullmatch(github):
        raise click.BadParameter(f"{github} is no OWNER/REPO", param_hint="--colab")
    if notebooks or github:
        from softmarks.notebook.handout import as_notebooks
    root, course = open_course(course_name)
    refuse_what_is_there(output)
    with waiting("Playing the misconceptions in the public suites…") as tell:
        part, notebooks = only_assignments(course, assignments), notebooks or bool(github)
        files = student_edition(part, root, tell, ".ipynb" if notebooks else ".py")
        if notebooks:
            files = as_notebooks(files, part, root, github)
        tell("Searching for what must not be in it…")
        _refuse_leaks(course, root, files)
    put(files, output)
    click.echo(f"wrote {len(files)} files into {output}: no solution and no hidden check is in them")


@release.command()
@assignments_option
@output_option
@click.option("--early", is_flag=True, help="Also before the deadline.")
@course_option
def solutions(assignments: tuple[str, ...], output: Path, early: bool, course_name: str | None) -> None:
    """Write the solutions, to be laid over the student edition after the deadline.

    Then softmarks read EXERCISE --solution shows them to who has solved the exercise. The hidden suites
    stay yours.

    \b
    Example:
      softmarks release solutions --assignment 2_loops -o ../loops_solved.zip
    """
    from softmarks.course.packing import put
    from softmarks.grading.release import solutions as solved

    root, course = open_course(course_name)
    part = only_assignments(course, assignments)
    now = datetime.now(UTC)
    open_still = [
        f"{one.name} until {one.due:%d %B %Y, %H:%M}" for one in part.assignments if one.due and one.due > now
    ]
    if open_still and not early:
        raise UsageError(
            f"students still work on {', '.join(open_still)}",
            fix="Name what is over with --assignment, or add --early",
        )
    files = solved(part, root)
    put(files, output)
    click.echo(f"wrote {len(files)} files into {output}")


@release.command()
@assignments_option
@click.option(
    "-o",
    "--output",
    metavar="ZIP",
    required=True,
    type=click.Path(path_type=Path),
    help="A new file that ends in .zip.",
)
@course_option
def gradescope(assignments: tuple[str, ...], output: Path, course_name: str | None) -> None:
    """Write the autograder that Gradescope takes: its scripts, the engine, the course.

    It is yours alone: solutions and hidden suites are in it. Students' programs will run with the versions
    of Python and of the course's packages that are installed here.

    \b
    Example:
      softmarks release gradescope --assignment 2_loops -o ../loops_autograder.zip
    """
    from softmarks.course.packing import put
    from softmarks.grading.autograder import autograder

    if output.suffix.lower() != ".zip":
        raise click.BadParameter(f"{output} does not end in .zip", param_hint="--output")
    root, course = open_course(course_name)
    part = only_assignments(course, assignments)
    files = autograder(part, root)
    put(files, output)
    points = sum(exercise.points for exercise in part.exercises)
    click.echo(
        f"wrote {len(files)} files into {output}: solutions and hidden suites are in it, for you alone"
    )
    click.echo(f"In Gradescope the assignment is worth {points:.2f} autograder points.")


@release.command("check")
@click.argument("target", metavar="DIR|ZIP", type=click.Path(exists=True, path_type=Path))
@course_option
def check_release(target: Path, course_name: str | None) -> None:
    """Search what you give out for lines of solutions, hidden suites, alternatives and misconceptions.

    For a folder that you have added to, or that git has a history of. Exit status 1 when something is found.

    \b
    Example:
      softmarks release check ../for_students
    """
    from softmarks.course.leaks import find_leaks
    from softmarks.course.secrets import secret_lines

    root, course = open_course(course_name)
    with waiting("Reading every byte…"):
        leaks = find_leaks(target, secret_lines(course, root))
    for leak in leaks[:MOST_LEAKS]:
        click.echo(f"{leak.where}: {leak.what}")
    if len(leaks) > MOST_LEAKS:
        click.echo(f"… and {len(leaks) - MOST_LEAKS} more")
    if leaks:
        click.get_current_context().exit(1)
    click.echo(f"{target} holds no solution and no hidden check")


def _refuse_leaks(course: Course, root: Path, files: dict[str, bytes]) -> None:
    """Raise CourseError, with the first leaks, unless the files are fit for students."""
    from softmarks.course.leaks import leaks_of
    from softmarks.course.secrets import secret_lines
    from softmarks.errors import CourseError

    leaks = leaks_of(files, secret_lines(course, root))
    if leaks:
        first = leaks[0]
        more = f" (and {len(leaks) - 1} more)" if len(leaks) > 1 else ""
        raise CourseError(f"{first.what}{more}", where=first.where, fix="Take it out; nothing was written")
