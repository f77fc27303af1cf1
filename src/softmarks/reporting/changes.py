"""Marks that changed, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rich.console import Console
from rich.table import Table

from softmarks.grading.comparing import Change
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import counted, in_points


def print_changes(console: Console, changes: Sequence[Change]) -> None:
    """Print each mark that differs: whose, before and now, and why; those that fall are marked."""
    pen = Pen(console)
    if not changes:
        pen.show(pen.write("No mark changes.", "green"))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    table.add_column(overflow="fold")
    for change in changes:
        style = "red" if change.lower else ""
        table.add_row(
            pen.name(change.student),
            pen.name(change.exercise),
            pen.write(_mark(change.before)),
            pen.write("→"),
            pen.write(_mark(change.now), style),
            pen.write("lower" if change.lower else "", style),
            pen.write(change.why, "dim"),
        )
    pen.show(table)
    lower = sum(change.lower for change in changes)
    pen.skip()
    pen.show(
        pen.write(
            f"{counted(len(changes), 'mark')} of {counted(len({c.student for c in changes}), 'student')}"
            f" would change, {lower} to a lower one.",
            "bold",
        )
    )


def _mark(points: Decimal | None) -> str:
    return "no mark" if points is None else in_points(points)
