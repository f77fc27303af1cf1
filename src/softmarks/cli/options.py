"""Options that several commands have, and what they do first: find the course, open a console."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

    from softmarks.course.course import Course

F = TypeVar("F", bound=Callable[..., Any])


def course_option(command: F) -> F:
    """The option that names a course."""
    return click.option(
        "--course",
        "course_name",
        metavar="DIR|ZIP|NAME",
        help="The course. Default: the nearest course.yml upwards from here, or the course of your exercises;"
        " else the installed one.",
    )(command)


def _warn_if_cut_off(_context: object, _parameter: object, results: Path) -> Path:
    """A folder of results as it is; when a line of its audit trail does not count, that is told at once."""
    from softmarks.reporting.trail import cut_off

    if said := cut_off(results):
        click.echo(said, err=True)
    return results


results_argument = click.argument(
    "results",
    metavar="RESULTS",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_warn_if_cut_off,
)
trust_option = click.option(
    "--trust-submissions",
    "trust",
    is_flag=True,
    help="Run programs even where they cannot be confined. Only if you trust every author.",
)
assignments_option = click.option(
    "--assignment", "assignments", metavar="NAME", multiple=True, help="Only this one; may be given again."
)


def workers_option(what: str) -> Callable[[F], F]:
    """The option that says how many of something are done at once."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        default=os.cpu_count() or 1,
        show_default="all cores",
        help=f"How many {what} at once.",
    )


def only_assignments(course: Course, names: Sequence[str]) -> Course:
    """The course with these assignments alone; whole where none is named. UsageError for an unknown name."""
    return course.part([course.assignment(name).name for name in names])


def open_course(name: str | None) -> tuple[Path, Course]:
    """The root of the course and the course."""
    from softmarks.course.course import load_course
    from softmarks.course.finding import find_course

    root = find_course(Path.cwd(), name)
    return root, load_course(root)


def console(*, error: bool = False) -> Console:
    """Where to print: standard output, or standard error for what is no result."""
    from rich.console import Console

    return Console(stderr=error, highlight=False)


@contextmanager
def waiting(words: str) -> Iterator[Callable[[str], None]]:
    """Show that something is going on, where a person is watching; call what it gives with new words."""
    screen = console(error=True)
    if not screen.is_terminal:
        yield lambda _words: None
        return
    with screen.status(words) as shown:
        yield shown.update
