"""Commands for a learner's evening: begin, read, be given a hint."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import console, course_option, open_course, waiting

if TYPE_CHECKING:
    from softmarks.course.course import Course, Exercise


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--track", metavar="NAME", help="Only the exercises of this track. Default: you are asked.")
@course_option
def start(folder: Path | None, track: str | None, course_name: str | None) -> None:
    """Begin: write a working copy of the exercises, for you to edit.

    DIR is new or empty. Default: a folder named after the course.

    \b
    Examples:
      softmarks start
      softmarks start my_copy --track text
    """
    from softmarks.course.finding import name_of
    from softmarks.course.working_copy import begin, of_track

    root, course = open_course(course_name)
    folder = folder or Path(course.id)
    track = track or _asked_track(course)
    begin(course, root, folder, track, name_of(root, course_name))
    exercises = of_track(course, track)
    first = exercises[0]
    click.echo(f"{_size(exercises)}, are in {folder}")
    click.echo(f"\nNext: cd {folder}")
    click.echo(f"      softmarks read {first.name}")
    click.echo("      softmarks watch")
    click.echo(f"\nYour answer goes into {first.assignment}/{first.name}.py. Each save is checked.")


def _asked_track(course: Course) -> str | None:
    """The track that a person chooses; the whole course where nobody can be asked, or there is no choice."""
    from softmarks.course.working_copy import of_track

    if not course.tracks or not sys.stdin.isatty():
        return None
    offered = [(track.id, track.says, of_track(course, track.id)) for track in course.tracks]
    if all(exercises != course.exercises for _, _, exercises in offered):
        offered.append(("all", "Everything.", course.exercises))
    for name, says, exercises in offered:
        click.echo(f"  {name:<10} {says}\n{'':<13}{_size(exercises)}")
    names = [name for name, _, _ in offered]
    chosen = click.prompt("Which track?", type=click.Choice(names), default=names[0])
    return None if chosen == "all" else str(chosen)


def _size(exercises: Sequence[Exercise]) -> str:
    """How many exercises these are, and how long they take."""
    hours = sum(exercise.minutes for exercise in exercises) / 60
    return f"{len(exercises)} exercises, about {hours:.1f} hours"


@click.command()
@click.argument("exercise")
@click.option("--solution", is_flag=True, help="Read how it can be solved, once you have solved it.")
@course_option
def read(exercise: str, solution: bool, course_name: str | None) -> None:
    """Read what an exercise asks for.

    \b
    Examples:
      softmarks read word_count
      softmarks read word_count --solution
    """
    from softmarks.course.rooms import room
    from softmarks.grading.own_work import solutions
    from softmarks.reporting.study import print_markdown, print_program

    root, course = open_course(course_name)
    out = console()
    if solution:
        for title, text in solutions(course, root, Path.cwd(), exercise):
            print_program(out, title, text)
    else:
        print_markdown(out, room(course, root, exercise).statement())


@click.command()
@click.argument("exercise")
@course_option
def hint(exercise: str, course_name: str | None) -> None:
    """Get a hint, and the next one each time. Hints are free.

    The hint that fits the mistake of your last check comes first.

    \b
    Example:
      softmarks hint word_count
    """
    from softmarks.grading.own_work import next_hint
    from softmarks.reporting.study import print_hint

    root, course = open_course(course_name)
    print_hint(console(), next_hint(course, root, Path.cwd(), exercise), f"softmarks hint {exercise}")


@click.command()
@click.argument("exercise")
@click.argument("check", required=False)
@course_option
def debug(exercise: str, check: str | None, course_name: str | None) -> None:
    """Run an exercise's checks in this terminal, and stop where your file says breakpoint().

    Your program runs as it is: no process of its own, no wall, no time limit. CHECK is one of the checks by
    its name.

    \b
    Examples:
      softmarks debug word_count
      softmarks debug word_count test_no_text
    """
    from softmarks.grading.debugging import debug as run_in_this_process

    root, course = open_course(course_name)
    click.get_current_context().exit(run_in_this_process(course, root, Path.cwd(), exercise, check))


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@course_option
def doctor(file: Path | None, course_name: str | None) -> None:
    """Look for what is missing on this machine, or for what is odd about a file.

    Of FILE (a program, a notebook, a folder or a ZIP) it says how it would be read when it is handed in, and
    what would be repaired. Exit status 1 when something has to be done.

    \b
    Examples:
      softmarks doctor
      softmarks doctor word_count.ipynb
    """
    from softmarks.grading.doctor import examine, examine_file
    from softmarks.reporting.doctor import print_findings

    with waiting("Looking around…"):
        if file is None:
            findings = list(examine(Path.cwd(), course_name))
        else:
            findings = list(examine_file(file, open_course(course_name)[1]))
    print_findings(console(), findings)
    if any(finding.how == "bad" for finding in findings):
        click.get_current_context().exit(1)
