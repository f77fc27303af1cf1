"""Commands for those who learn: look at the course, check one's own work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import console, course_option, open_course, waiting

if TYPE_CHECKING:
    from softmarks.course.rooms import Room
    from softmarks.grading.own_work import Own


def show_course(course_name: str | None) -> None:
    """Print where you are in a working copy, else the course: its exercises, and what to do next."""
    from softmarks.course.working_copy import working_copy
    from softmarks.grading.diary import Diary
    from softmarks.reporting.overview import print_course, print_where_you_are

    root, course = open_course(course_name)
    copy = working_copy(Path.cwd())
    if copy is None:
        print_course(console(), course, root)
    else:
        print_where_you_are(console(), course, copy, Diary(copy.folder).states())


@click.command()
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]…")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github"]),
    default="text",
    help="github: also mark the lines in a workflow of GitHub's.",
)
@course_option
def check(exercises: tuple[str, ...], form: str, course_name: str | None) -> None:
    """Check your own work, and say what to repair.

    Your files are EXERCISE.py or EXERCISE.ipynb in this folder, in your working copy, or in exercises/ of a
    student edition. Without names every exercise is checked that you have begun.

    \b
    Examples:
      softmarks check
      softmarks check word_count
    """
    from softmarks.course.rooms import room
    from softmarks.errors import GraderError
    from softmarks.grading.own_work import check_own
    from softmarks.reporting.pen import Pen
    from softmarks.reporting.study import print_explanation, print_first_tries
    from softmarks.reporting.terminal import print_verdict

    root, course = open_course(course_name)
    out = console()
    with waiting("Checking your work…"):
        found = check_own(course, root, Path.cwd(), exercises)
    begun = [own for own in found if exercises or not own.verdict.untouched]
    for own in begun:
        place, verdict = room(course, root, own.verdict.exercise), own.verdict
        print_verdict(out, verdict, brief=True)
        out.print()
        graded = verdict.suite == "hidden" and bool(verdict.checks)
        own.diary.note(verdict, done=verdict.all_right)
        if form == "github":
            _annotate(own)
        if place.is_sheet and graded:
            print_first_tries(out, verdict, own.diary.first_tries(verdict))
        if exercises and graded and verdict.all_right:
            print_explanation(out, place.explanation())
            _judge_own_words(own, place)
    untold = [own.verdict.exercise for own in found if own not in begun]
    if untold:
        pen = Pen(out)
        pen.show(pen.write(f"Not begun: {', '.join(untold)}", "dim"))
    broken = [own.verdict.note for own in begun if own.verdict.status == "grader-error"]
    if broken:
        raise GraderError(broken[0])
    if not begun or not all(own.verdict.all_right for own in begun):
        click.get_current_context().exit(1)


def _annotate(own: Own) -> None:
    """Print where in the file something is to be repaired, as a workflow of GitHub's reads it."""
    from softmarks.reporting.github import workflow_commands

    path = own.path.relative_to(Path.cwd()) if own.path.is_relative_to(Path.cwd()) else own.path
    program = own.path.read_bytes().decode("utf-8", "replace") if own.path.suffix == ".py" else ""
    for line in workflow_commands(own.verdict, path.as_posix(), program):
        click.echo(line)


def _judge_own_words(own: Own, place: Room) -> None:
    """Show the model answers to what was asked in words, and let the learner tick what their own says."""
    from softmarks.course.sheets import read_sheet
    from softmarks.reporting.study import print_model_answer

    if not place.is_sheet:
        return
    for question in read_sheet(place.sheet).free:
        print_model_answer(console(), question)
        if not sys.stdin.isatty():
            for line in question.rubric:
                click.echo(f"  [ ] {line}")
            continue
        click.echo("What does your own answer say?")
        ticks = [click.confirm(f"  {line}", default=False) for line in question.rubric]
        own.diary.judge(own.verdict.exercise, question.id, ticks)
        click.echo(f"{sum(ticks)} of {len(ticks)}. Add what is missing in your own words.")


@click.command()
@click.argument("exercise")
@click.option(
    "--png",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Draw into a file, not in the terminal.",
)
@course_option
def show(exercise: str, file: Path | None, course_name: str | None) -> None:
    """See what your code computes.

    Where the solution is installed too, what is meant stands beside it, and values that differ are marked.

    \b
    Examples:
      softmarks show word_count
      softmarks show word_count --png picture.png
    """
    from softmarks.grading.own_work import show_own

    root, course = open_course(course_name)
    with waiting("Running your code…"):
        panels = show_own(course, root, Path.cwd(), exercise)
    if file is not None:
        from softmarks.reporting.plots import save_pictures

        save_pictures(file, exercise, panels)
        click.echo(f"wrote {file}")
        return
    from softmarks.reporting.drawing import print_pictures

    print_pictures(console(), exercise, panels)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the code that makes SHELL complete softmarks' commands and options.

    \b
    Examples:
      softmarks completion bash >> ~/.bashrc
      softmarks completion fish > ~/.config/fish/completions/softmarks.fish
    """
    from click.shell_completion import get_completion_class

    from softmarks.cli.main import softmarks

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(found(softmarks, {}, "softmarks", "_SOFTMARKS_COMPLETE").source())
