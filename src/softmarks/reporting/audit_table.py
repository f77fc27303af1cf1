"""What an audit found, as a table and a list of faults."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from softmarks.grading.audit import Count, RoomAudit

COLUMNS = {
    "stub": "stub\nzero",
    "reference": "ref.\nfull",
    "alternatives": "others\nfull",
    "public": "public\npass",
    "caught": "wrong\ncaught",
    "in_band": "in\nband",
    "named": "\nnamed",
    "trivial": "trivial\nlow",
    "checks": "checks\nneeded",
}


def print_audit(console: Console, rooms: Sequence[RoomAudit], faults: Sequence[str]) -> None:
    """Print one row a room, then every fault."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("exercise", no_wrap=True)
    for title in COLUMNS.values():
        table.add_column(title, justify="right")
    for room in rooms:
        counts: list[Count] = [getattr(room, name) for name in COLUMNS]
        cells = [
            Text(str(count), style="green" if count.good == count.total else "bold red") for count in counts
        ]
        table.add_row(room.exercise, *cells)
    console.print(table)
    console.print()
    for fault in faults:
        console.print(Text(f"✗ {fault}"), soft_wrap=True)
    summary = f"{len(faults)} faults" if faults else "No fault: every room keeps its promises."
    console.print(Text(summary, style="bold red" if faults else "bold green"))
