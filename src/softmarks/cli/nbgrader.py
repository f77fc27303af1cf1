"""Commands for those who teach with nbgrader: its course folder, marks and extensions in its gradebook."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from softmarks.cli.options import assignments_option, course_option, only_assignments, open_course, waiting
from softmarks.errors import UsageError

FOLDER = click.option(
    "--folder",
    metavar="DIR",
    default=".",
    show_default="this folder",
    type=click.Path(path_type=Path),
    help="nbgrader's course folder.",
)


@click.group()
def nbgrader() -> None:
    """Give the course to nbgrader: notebooks, marks, extensions."""
    if find_spec("nbgrader") is None:
        raise UsageError("nbgrader is not installed", fix="Run pip install 'softmarks[instructor]'")


@nbgrader.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@assignments_option
@course_option
def build(folder: Path, assignments: tuple[str, ...], course_name: str | None) -> None:
    """Write a course folder for nbgrader: source notebooks, configuration, due dates.

    Plain nbgrader commands work in DIR, and so does formgrader; marks come from Softmarks. Run it again
    whenever the course has changed: what you edited in DIR is kept.

    \b
    Examples:
      softmarks nbgrader build ../nbgrader_course
      softmarks nbgrader build ../nbgrader_course --assignment 2_loops
    """
    from softmarks.course.finding import name_of
    from softmarks.notebook.folder import RECORDS, build_folder
    from softmarks.notebook.gradebook import gradebook_of, set_due_dates

    root, whole = open_course(course_name)
    course = only_assignments(whole, assignments)
    with waiting("Writing notebooks, and the checks that students have…") as tell:
        built = build_folder(course, root, folder, name_of(root, course_name), tell)
        with gradebook_of(folder) as gradebook:
            dates = set_due_dates(gradebook, course, folder / RECORDS / "due_dates.json")
    for path in built.written:
        click.echo(f"wrote {path}")
    for path in built.kept:
        click.echo(f"kept {path}: you edited it. Delete it to have it written anew")
    for line in dates:
        click.echo(f"kept the date: {line}")
    first = course.assignments[0].name
    click.echo(f"\nNext: cd {folder}, then nbgrader generate_assignment {first}")


@nbgrader.command("import")
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@FOLDER
@course_option
def import_results(results: Path, folder: Path, course_name: str | None) -> None:
    """Put marks that softmarks grade gave into nbgrader's gradebook.

    RESULTS is the folder that softmarks grade wrote. What a person marked by hand stays. Penalties for late
    work are nbgrader's own. Who was graded under another name is found by the id that the roster gives.

    \b
    Example:
      softmarks nbgrader import results --folder ../nbgrader_course
    """
    from softmarks.notebook.gradebook import gradebook_of, import_verdicts
    from softmarks.reporting.recorded import read_judged_verdicts, read_overrides, renamed, roster_ids
    from softmarks.reporting.wording import counted

    _, course = open_course(course_name)
    verdicts, given = read_judged_verdicts(results), read_overrides(results)
    with gradebook_of(folder) as gradebook:
        known = {student.id for student in gradebook.students}
        ids = {name: own for name, own in roster_ids(results, verdicts).items() if name not in known}
        done = import_verdicts(
            gradebook, course, [renamed(one, ids) for one in verdicts], [renamed(one, ids) for one in given]
        )
    for title, lines in (("changed", done.changed), ("new student", done.new), ("no mark", done.unmarked)):
        for line in lines:
            click.echo(f"{title}: {line}")
    click.echo(
        f"The gradebook has the marks of {counted(done.students, 'student')};"
        f" {counted(len(done.changed), 'mark')} changed"
    )


@nbgrader.command()
@click.argument("file", metavar="EXCEPTIONS.csv", type=click.Path(path_type=Path))
@FOLDER
@course_option
def extend(file: Path, folder: Path, course_name: str | None) -> None:
    """Grant extensions in nbgrader's gradebook.

    The file has the columns student_id, assignment, and new_due (a date with time zone) or extra_days. An
    extension replaces an earlier one of the same student and assignment; no days (0) take it away.

    \b
    Example:
      softmarks nbgrader extend exceptions.csv --folder ../nbgrader_course
    """
    from softmarks.notebook.gradebook import gradebook_of, grant_extensions
    from softmarks.submission.exceptions import read_exceptions

    _, course = open_course(course_name)
    rows = read_exceptions(file, [part.name for part in course.assignments])
    with gradebook_of(folder) as gradebook:
        left = grant_extensions(gradebook, rows)
    for line in left:
        click.echo(f"not granted: {line}", err=True)
    click.echo(f"{len(rows) - len(left)} of {len(rows)} extensions granted")
    if left:
        click.get_current_context().exit(1)
