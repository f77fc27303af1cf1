"""What is handed in, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from softmarks.grading.handing_in import Part
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import counted
from softmarks.submission.handing_in import Inspection

SIGNS = {"passed": ("✓", "green"), "failing": ("✗", "red"), "unreadable": ("✗", "red")}


def print_parts(console: Console, parts: Sequence[Part]) -> None:
    """Print each exercise, its file and how it stands."""
    pen = Pen(console)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for part in parts:
        sign, style = SIGNS.get(part.state, ("·", "yellow"))
        says = part.says or part.state
        table.add_row(
            pen.write(sign, style),
            pen.name(part.exercise.name),
            pen.write(says, style if sign == "✗" else ""),
        )
    pen.show(table)


def print_inspection(console: Console, found: Inspection) -> None:
    """Print what a zip says about itself, and what is not as it says."""
    pen, manifest = Pen(console), found.manifest
    who = f"{manifest.student_id} ({manifest.student_name})" if manifest.student_name else manifest.student_id
    pen.show(pen.write(f"From {who}", "bold"))
    pen.show(pen.write(f"{manifest.course} {manifest.course_version}, {', '.join(manifest.assignments)}"))
    pen.show(pen.write(f"Packed {manifest.packed_at:%d %B %Y %H:%M} UTC, by that computer's clock", "dim"))
    pen.skip()
    for name, checksum in manifest.files.items():
        pen.show(pen.write(f"{checksum[:12]}  {name}"), indent=2)
    pen.skip()
    for names, what in (
        (found.changed, "changed since"),
        (found.lost, "missing"),
        (found.added, "not in the manifest"),
    ):
        for name in names:
            pen.show(pen.write(f"✗ {name}: {what}", "red"), indent=2)
    if found.whole:
        pen.show(pen.write(f"✓ {counted(len(manifest.files), 'file')}, as they were packed", "green"))
    pen.show(
        pen.write("What the manifest says is what its author's computer says; it proves nothing.", "dim")
    )
