"""Pictures in a terminal: tables as coloured cells, curves as columns of blocks; the wrong ones marked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from softmarks.pictures import Drawn, Lines
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import counted

RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))  # viridis, five stops
BARS = " ▁▂▃▄▅▆▇█"
MOST_POINTS = 60
LABEL_CELLS = 10


def print_pictures(console: Console, exercise: str, panels: Sequence[Drawn]) -> None:
    """Print every panel: what the program gave, and beside it what is meant."""
    pen = Pen(console)
    for panel in panels:
        wrong = panel.wrong
        axes = " by ".join(axis for axis in (panel.y_axis, panel.x_axis) if axis)
        about = f"  {axes}" if axes and panel.kind == "heatmap" else ""
        note = f"  {counted(wrong, 'value')} differ" if wrong > 1 else "  1 value differs" if wrong else ""
        pen.show(
            Text.assemble(
                pen.write(panel.title or exercise, "bold"), pen.write(about, "dim"), pen.write(note, "red")
            )
        )
        sides = [("yours", panel.own)]
        if panel.meant is not None and (wrong or panel.own.problem):
            sides.append(("meant", panel.meant))
        drawn = [_side(pen, panel, lines, title if len(sides) > 1 else "") for title, lines in sides]
        console.print(Padding(_beside(console, drawn), (0, 0, 0, 2), expand=False))
        pen.skip()


def _beside(console: Console, sides: Sequence[RenderableType]) -> RenderableType:
    """Side by side where the terminal is wide enough, else below each other."""
    if len(sides) == 2:
        needed = sum(console.measure(side).maximum for side in sides)
        if needed + 8 <= console.width:
            grid = Table.grid(padding=(0, 4, 0, 0))
            grid.add_row(*sides)
            return grid
    return Group(*sides)


def _side(pen: Pen, panel: Drawn, lines: Lines, title: str) -> RenderableType:
    heading = [pen.write(title, "dim")] if title else []
    if lines.problem:
        return Group(*heading, pen.prose(lines.problem, "red"))
    own = lines is panel.own
    body = _cells(pen, panel, lines, own) if panel.kind == "heatmap" else _curves(pen, panel, lines, own)
    return Group(*heading, body)


def _cells(pen: Pen, panel: Drawn, lines: Lines, own: bool) -> Table:
    table = Table.grid(padding=0)
    low, high = _range([panel.own, *([panel.meant] if panel.meant else [])])
    columns = max(map(len, lines.rows))
    labels = panel.column_labels if len(panel.column_labels) == columns else ()
    names = panel.row_labels if len(panel.row_labels) == len(lines.rows) else ()
    table.add_column(justify="right")
    for _ in range(columns):
        table.add_column(justify="center", no_wrap=True)
    if labels:
        table.add_row("", *(pen.write(f"{label[:7]:^8}", "dim") for label in labels))
    for r, row in enumerate(lines.rows):
        name = pen.write(f"{names[r][:LABEL_CELLS]} " if names else "", "dim")
        cells = [
            _cell(pen, value, low, high, marked=own and panel.differs(r, c)) for c, value in enumerate(row)
        ]
        table.add_row(name, *cells)
    return table


def _cell(pen: Pen, value: float | None, low: float, high: float, *, marked: bool) -> Text:
    sign = "✗" if marked else " "
    if value is None:
        return pen.write(f"   nan{sign} ", "bold red")
    number = (
        f"{value:5.2f}" if abs(value) < 99.5 else f"{value:5.0f}" if abs(value) < 1e5 else f"{value:5.0e}"
    )
    text = pen.write(f"{number:>6}{sign} ")
    red, green, blue = _colour((value - low) / (high - low) if high > low else 0.0)
    ink = "black" if red * 0.299 + green * 0.587 + blue * 0.114 > 110 else "white"
    text.stylize(f"{'bold ' if marked else ''}{ink} on rgb({red},{green},{blue})")
    return text


def _curves(pen: Pen, panel: Drawn, lines: Lines, own: bool) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    low, high = _range([lines])
    for r, (name, row) in enumerate(zip(lines.names, lines.rows, strict=True)):
        step = max(1, -(-len(row) // MOST_POINTS))
        bars = "".join(_bar(value, low, high) for value in row[::step])
        marked = own and any(panel.differs(r, c) for c in range(len(row)))
        ends = f"{_short(row[0])} … {_short(row[-1])}"
        table.add_row(
            pen.write(f"{'✗ ' if marked else ''}{name}", "red" if marked else ""), pen.write(bars), ends
        )
    axis = f"{panel.x_axis}: {panel.x[0]:g} … {panel.x[-1]:g}" if panel.x else panel.x_axis
    table.add_row("", pen.write(axis, "dim"), pen.write(panel.y_axis, "dim"))
    return table


def _bar(value: float | None, low: float, high: float) -> str:
    if value is None:
        return "?"
    share = (value - low) / (high - low) if high > low else 0.0
    return BARS[1 + round(share * (len(BARS) - 2))]


def _short(value: float | None) -> str:
    return "nan" if value is None else f"{value:.3g}"


def _range(sides: Sequence[Lines]) -> tuple[float, float]:
    values = [value for side in sides for row in side.rows for value in row if value is not None]
    return (min(values), max(values)) if values else (0.0, 0.0)


def _colour(share: float) -> tuple[int, int, int]:
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    stop = min(int(place), len(RAMP) - 2)
    part = place - stop
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(RAMP[stop], RAMP[stop + 1], strict=True))
    return red, green, blue
