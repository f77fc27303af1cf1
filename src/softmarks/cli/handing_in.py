"""`softmarks submit`: pack what is to be handed in, and look into what was packed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from softmarks.cli.options import console, course_option, open_course, waiting
from softmarks.errors import UsageError, reason_of


@click.command()
@click.argument("assignment", required=False)
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the zip goes.")
@click.option("--id", "student_id", metavar="ID", help="Who you are in the course. Default: you are asked.")
@click.option("--name", metavar="NAME", default="", help="Your name, if you want it in the zip.")
@click.option(
    "--inspect",
    "packed_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Say what is in a zip that was packed, and whether it is whole.",
)
@course_option
def submit(
    assignment: str | None,
    output: Path | None,
    student_id: str | None,
    name: str,
    packed_file: Path | None,
    course_name: str | None,
) -> None:
    """Pack your work into one zip, to be handed in where your course says.

    Your work is checked first; whatever the checks say, the zip is written. Without ASSIGNMENT everything
    that you have is packed.

    \b
    Examples:
      softmarks submit 2_loops --id ada17
      softmarks submit --inspect ada17_2_loops.zip
    """
    if packed_file is not None:
        _inspect(packed_file)
        return
    from softmarks.grading.handing_in import looked_over, pack
    from softmarks.reporting.handing_in import print_parts

    root, course = open_course(course_name)
    wanted = course.part([course.assignment(assignment).name]) if assignment else course
    student_id = (student_id or _asked("Your ID in the course")).strip()
    if not student_id:
        raise UsageError("an ID is needed, so that your work is found to be yours", fix="Give it with --id")
    with waiting("Checking what you hand in…"):
        parts = looked_over(wanted, root, Path.cwd(), whole=assignment is not None)
    data = pack(course, parts, student_id, name)
    target = output or Path(f"{_file_name(student_id)}_{assignment or course.id}.zip")
    _write(target, data)
    print_parts(console(), parts)
    files = sum(part.path is not None for part in parts)
    click.echo(f"\nwrote {target}: {files} files, {len(data) / 1024:.0f} KiB, for {student_id}")
    click.echo("Hand this file in.\nThis is a summary: the learning platform's confirmation is your proof.")


def _asked(words: str) -> str:
    if not sys.stdin.isatty():
        return ""
    return str(click.prompt(words))


def _file_name(student_id: str) -> str:
    return "".join(char if char.isalnum() or char in "-." else "-" for char in student_id)[:60]


def _write(target: Path, data: bytes) -> None:
    from softmarks.course.text import write_bytes

    if target.exists():
        raise UsageError(
            "there is a file already", where=target, fix="Move it away, or name another one with -o"
        )
    try:
        write_bytes(target, data)
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(
            f"it cannot be written: {reason}", where=target, fix="Name another place with -o"
        ) from None


def _inspect(path: Path) -> None:
    from softmarks.reporting.handing_in import print_inspection
    from softmarks.submission.handing_in import inspected

    found = inspected(path)
    print_inspection(console(), found)
    if not found.whole:
        click.get_current_context().exit(1)
