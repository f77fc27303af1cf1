"""What an audit found, for a terminal: one row a room, and every fault."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from softmarks.grading.audited import Count, RoomAudit, summed

RIGHT = {
    "stub": "stub\nzero",
    "solution": "ref.\nfull",
    "alternatives": "others\nfull",
    "public": "public\npass",
    "trivial": "trivial\nlow",
    "reasoned": "checks\nneeded",
}
WRONG = {
    "caught": "wrong\ncaught",
    "in_band": "in\nband",
    "named": "\nnamed",
    "pairs_caught": "pairs\ncaught",  # the last four only in a full audit
    "pairs_sound": "pairs\nsound",
    "pairs_exact": "pairs\nexact",
    "mutants": "mutants\nkilled",
}
SHARES = ("named", "pairs_exact", "mutants")  # that need not be all: the course has a bar for them


def print_audit(console: Console, rooms: Sequence[RoomAudit], faults: Sequence[str]) -> None:
    """Print a row a room and their sum, twice, then every fault. One number: all are as they should be."""
    for columns in (RIGHT, WRONG):
        shown = {name: title for name, title in columns.items() if summed(rooms, name).total}
        if shown:
            console.print(_table(rooms, shown))
            console.print()
    for note in (note for room in rooms for note in room.notes):
        console.print(Text(f"· {note}", style="dim"), soft_wrap=True)
    for fault in faults:
        console.print(Text(f"✗ {fault}"), soft_wrap=True)
    summary = f"{len(faults)} faults" if faults else "No fault: every room keeps its promises."
    console.print(Text(summary, style="bold red" if faults else "bold green"))


def _table(rooms: Sequence[RoomAudit], columns: dict[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    table.add_column("exercise", no_wrap=True)
    for title in columns.values():
        table.add_column(title, justify="right")
    for room in rooms:
        table.add_row(room.exercise, *(_cell(name, getattr(room, name)) for name in columns))
    if len(rooms) > 1:
        table.add_row(Text("all", style="bold"), *(_cell(name, summed(rooms, name)) for name in columns))
    return table


def print_messages(console: Console, rooms: Sequence[RoomAudit]) -> None:
    """Print all that students are told, one text a misconception, to be read through."""
    for room in rooms:
        for text in room.messages:
            title, _, told = text.partition("\n")
            console.print(Text(title, style="bold"))
            console.print(Text(told or "nothing is told"), soft_wrap=True)
            console.print()


def _cell(name: str, count: Count) -> Text:
    if not count.total:
        return Text("–", style="dim")
    if count.good == count.total:
        return Text(str(count.total), style="green")
    return Text(str(count), style="yellow" if name in SHARES else "bold red")
