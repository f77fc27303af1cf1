"""`softmarks lock`: keep an assignment as it is for the time in which it is graded."""

from __future__ import annotations

import click

from softmarks.cli.options import assignments_option, course_option, only_assignments, open_course


@click.command()
@assignments_option
@course_option
def lock(assignments: tuple[str, ...], course_name: str | None) -> None:
    """Lock assignments: write into course.lock with what they are graded.

    That is the version of the course, of Softmarks, Python and the course's packages, and the text, suite
    and solution of each exercise. From then on softmarks grade refuses to grade them with anything else,
    until they are locked again.

    \b
    Example:
      softmarks lock --assignment 2_loops
    """
    from softmarks.grading.lock import LOCK, Lock, locked, read_lock
    from softmarks.reporting.files import write_atomically

    root, whole = open_course(course_name)
    course = only_assignments(whole, assignments)
    before = read_lock(root).assignments
    new = locked(course, root).assignments
    for name, one in new.items():
        if name in before:
            changed = before[name].differences(one)
            click.echo(f"{name}: {'; '.join(changed)}" if changed else f"{name}: as it was locked before")
        else:
            click.echo(f"{name}: locked")
    lock = Lock(assignments={**before, **new})
    write_atomically(root / LOCK, lock.model_dump_json(indent=2) + "\n")
