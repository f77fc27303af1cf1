"""Commands for those who write a course: print the stubs, grade the graders."""

from __future__ import annotations

import click

from softmarks.cli.options import console, course_option, open_course, waiting

SEEDS = 20


@click.command()
@click.option(
    "--check", is_flag=True, help="Write nothing: show what would change, exit 1 if anything would."
)
@course_option
def build(check: bool, course_name: str | None) -> None:
    """Print exercises/ from solutions/.

    Every stub is made from its solution: the regions between BEGIN SOLUTION and END SOLUTION are cleared. A
    file that somebody edited is never overwritten.

    \b
    Examples:
      softmarks build
      softmarks build --check
    """
    from softmarks.course.lesson import build as print_stubs

    root, course = open_course(course_name)
    changes = print_stubs(course, root, check=check)
    for change in changes:
        click.echo(change.diff if check else f"wrote {change.path}")
    if not changes:
        click.echo(f"exercises/ is up to date: {len(course.exercises)} exercises")
    if check and changes:
        click.get_current_context().exit(1)


@click.command()
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]…")
@click.option("--quick", is_flag=True, help=f"Run right answers with one run seed, not {SEEDS}.")
@course_option
def audit(exercises: tuple[str, ...], quick: bool, course_name: str | None) -> None:
    """Grade the graders: prove that the suites reject wrong work and accept right work.

    For each exercise: files and names are complete, the stub gets nothing, the reference and every
    alternative get full marks, every misconception loses marks within its band and is named, no answer
    without thought keeps more than the ceiling in course.yml. Exit status 1 when anything falls short.

    \b
    Examples:
      softmarks audit --quick
      softmarks audit word_count
    """
    from softmarks.course.completeness import problems
    from softmarks.grading.audit import audit_room
    from softmarks.grading.workers import Worker
    from softmarks.reporting.audit_table import print_audit

    root, course = open_course(course_name)
    chosen = [course.exercise(name) for name in exercises] or list(course.exercises)
    faults = problems(course, root)
    with Worker(root, "optional") as worker, waiting("Starting…") as tell:
        rooms = [audit_room(worker, course, root, one, 1 if quick else SEEDS, tell) for one in chosen]
    faults += [fault for room in rooms for fault in room.faults]
    print_audit(console(), rooms, faults)
    if faults:
        click.get_current_context().exit(1)
