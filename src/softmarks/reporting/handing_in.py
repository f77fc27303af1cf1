"""What is handed in, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from softmarks.grading.handing_in import Part
from softmarks.reporting.pen import Pen
from softmarks.reporting.terminal import STYLES
from softmarks.reporting.wording import SIGNS, Tone, counted, status_words
from softmarks.submission.handing_in import Inspection


def print_parts(console: Console, parts: Sequence[Part]) -> None:
    """Print each exercise and how it stands, and what runs only once it is handed in."""
    pen = Pen(console)
    table = pen.signed()
    for part in parts:
        how, says = _standing(part)
        table.add_row(
            pen.write(SIGNS[how], STYLES[how]),
            pen.name(part.exercise.name),
            pen.write(says, STYLES[how] if how == "bad" else ""),
        )
    pen.show(table)


def _standing(part: Part) -> tuple[Tone, str]:
    verdict = part.verdict
    if verdict is None:
        return "caution", "no file: it is not in the zip"
    if verdict.status != "graded" and verdict.note:
        return "bad", verdict.note
    if verdict.untouched:
        return "caution", "not begun: the stub is in the zip"
    return "good" if verdict.all_right else "bad", status_words(verdict)


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
