"""Commands for those who write a course: print the stubs, grade the graders."""

from __future__ import annotations

from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, waiting, workers_option


@click.command()
@click.argument("address", metavar="ASSIGNMENT/EXERCISE")
@course_option
def new(address: str, course_name: str | None) -> None:
    """Begin an exercise: its entry in course.yml, and a room that works as it is.

    Replace what is in the files, then print the stub and try the suites.

    \b
    Example:
      softmarks new 2_loops/fold_list
    """
    from softmarks.course.scaffold import new_exercise

    root, course = open_course(course_name)
    for path in new_exercise(root, course, address):
        click.echo(f"wrote {path.relative_to(root)}")
    click.echo(f"\nNext: edit them, then softmarks build && softmarks audit {address.split('/')[1]} --quick")


@click.command("new-course")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_course(folder: Path) -> None:
    """Begin a course: course.yml and one exercise that works as it is.

    \b
    Example:
      softmarks new-course my_course
    """
    from softmarks.course.scaffold import new_course as write_course

    for path in write_course(folder):
        click.echo(f"wrote {path}")
    click.echo(f"\nNext: cd {folder}, then softmarks build && softmarks audit --quick")


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
        done = "wrote" if change.path.exists() else "removed"
        click.echo(change.diff if check else f"{done} {change.path}")
    if not changes:
        click.echo(f"exercises/ is up to date: {len(course.exercises)} exercises")
    if check and changes:
        click.get_current_context().exit(1)


@click.command()
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]…")
@click.option("--quick", is_flag=True, help="One run seed, no pairs, no mutants: minutes, not hours.")
@click.option(
    "--seeds",
    type=click.IntRange(1),
    metavar="N",
    help="At most N run seeds for each program, instead of 20 to 200.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page that shows it all.",
)
@click.option("--messages", is_flag=True, help="Print what students are told of each misconception.")
@workers_option("exercises are audited")
@course_option
def audit(
    exercises: tuple[str, ...],
    quick: bool,
    seeds: int | None,
    as_json: bool,
    page: Path | None,
    messages: bool,
    workers: int,
    course_name: str | None,
) -> None:
    """Grade the graders: prove that the suites reject wrong work and accept right work.

    For each exercise: files and names are complete, the stub gets nothing, the reference and every
    alternative get full marks, every misconception loses marks within its band and is named, no answer
    without thought keeps more than the ceiling in course.yml, and each check has a reason to be. Without
    --quick also: two misconceptions at once are caught and told soundly, machine-made mutants of the
    solution are killed or explained, and marks do not depend on the random numbers of a run. Exit status
    1 when anything falls short.

    \b
    Examples:
      softmarks audit --quick
      softmarks audit word_count
      softmarks audit --html audit.html
    """
    from softmarks.course.completeness import problems
    from softmarks.grading.audit import FULL, QUICK, at_most, audit_rooms
    from softmarks.grading.audited import shortfalls
    from softmarks.reporting.audit_page import audit_json, audit_page
    from softmarks.reporting.audit_table import print_audit, print_messages
    from softmarks.reporting.files import write_atomically

    root, course = open_course(course_name)
    chosen = [course.exercise(name) for name in exercises] or list(course.exercises)
    faults = problems(course, root)
    with waiting("Starting…") as tell:
        effort = at_most(QUICK if quick else FULL, seeds or FULL.reference)
        rooms = audit_rooms(course, root, chosen, effort, workers, tell)
    faults += [fault for room in rooms for fault in room.faults]
    faults += shortfalls(rooms, course.audit) if len(chosen) == len(course.exercises) else []
    if page:
        write_atomically(page, audit_page(course, rooms, faults))
    if as_json:
        click.echo(audit_json(rooms, faults))
    else:
        if messages:
            print_messages(console(), rooms)
        print_audit(console(), rooms, faults)
    if faults:
        click.get_current_context().exit(1)
