"""Commands for those who learn: look at the course, check one's own work."""

from __future__ import annotations

from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, waiting


def show_course(course_name: str | None) -> None:
    """Print the course: its assignments and exercises, and what to do next."""
    from softmarks.reporting.overview import print_course

    root, course = open_course(course_name)
    print_course(console(), course, root)


@click.command()
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]…")
@course_option
def check(exercises: tuple[str, ...], course_name: str | None) -> None:
    """Check your own work, and say what to repair.

    Your files are EXERCISE.py or EXERCISE.ipynb in this folder, or exercises/ASSIGNMENT/EXERCISE.py beside
    course.yml. Without names every exercise is checked that you have begun. Public checks run
    first; where the rest of the suite is installed too, it runs once they pass.

    \b
    Examples:
      softmarks check
      softmarks check word_count
    """
    from softmarks.errors import GraderError
    from softmarks.grading.own_work import check_own, untouched
    from softmarks.reporting.terminal import print_verdict
    from softmarks.reporting.wording import all_passed

    root, course = open_course(course_name)
    out = console()
    with waiting("Checking your work…"):
        verdicts = check_own(course, root, Path.cwd(), exercises)
    begun = [verdict for verdict in verdicts if exercises or not untouched(verdict)]
    for verdict in begun:
        print_verdict(out, verdict)
    untold = [verdict.exercise for verdict in verdicts if verdict not in begun]
    if untold:
        out.print(f"Not begun: {', '.join(untold)}", style="dim", soft_wrap=True, markup=False)
    broken = [verdict.note for verdict in begun if verdict.status == "grader-error"]
    if broken:
        raise GraderError(broken[0])
    if not begun or not all(all_passed(verdict) for verdict in begun):
        click.get_current_context().exit(1)


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
