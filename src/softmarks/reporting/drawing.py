"""Pictures in a terminal: tables as coloured cells, curves as columns of blocks; the wrong ones marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from softmarks.pictures import Drawn, Lines, written
from softmarks.reporting.pen import Pen
from softmarks.reporting.ramp import colours
from softmarks.reporting.wording import counted

BARS = "▁▂▃▄▅▆▇█"
INDENT = 2
MOST_POINTS = 60
FEWEST_POINTS = 10
WIDEST_NAME = 16  # of a row
USUAL_CELL = 8


def print_pictures(console: Console, exercise: str, panels: Sequence[Drawn]) -> None:
    """Print every panel: what the program gave, and beside it what is meant."""
    pen = Pen(console)
    for panel in panels:
        _print_title(pen, panel, exercise)
        sides = [("yours", panel.own)]
        if panel.meant is not None and (panel.wrong or panel.own.problem):
            sides.append(("meant", panel.meant))
        drawn = [_side(pen, panel, lines, title if len(sides) > 1 else "") for title, lines in sides]
        console.print(Padding(_beside(console, drawn), (0, 0, 0, INDENT), expand=False))
        pen.skip()


def _print_title(pen: Pen, panel: Drawn, exercise: str) -> None:
    """The title, the axes and how much is wrong: on one line where they fit, else the title by itself."""
    title, differs = pen.write(panel.title or exercise, "bold"), panel.differing
    scale = ", logarithmic" if panel.logarithmic else ""
    about = [pen.write(f"{panel.axes}{scale}", "dim")] if panel.axes else []
    if differs:
        about.append(pen.write(differs, "red"))
    line = Text("  ").join([title, *about])
    if line.cell_len <= pen.width or not about:
        pen.show(line)
    else:
        pen.show(title)
        pen.show(Text("  ").join(about), indent=INDENT)


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
    body = _cells(pen, panel, lines) if panel.kind == "heatmap" else _curves(pen, panel, lines)
    return Group(*heading, body)


@dataclass(frozen=True)
class _Widths:
    """How many characters the parts of a table take, and how many of its columns there is room for."""

    names: int
    number: int
    cell: int
    columns: int


def _widths(pen: Pen, panel: Drawn, names: Sequence[str], heads: Sequence[str], columns: int) -> _Widths:
    """Columns as wide as their heads where the terminal allows; as narrow as the numbers where it must be."""
    beside = min(max(map(len, names), default=0), WIDEST_NAME)
    room = pen.console.width - INDENT - beside - 1
    number = max(len(written(v, panel.decimals)) for side in panel.sides for row in side.rows for v in row)
    wished = max(number + 2, USUAL_CELL, *(len(head) + 1 for head in heads))
    cell = max(number + 1, min(wished, room // columns))
    return _Widths(beside, number, cell, columns=max(1, min(columns, room // cell)))


def _cells(pen: Pen, panel: Drawn, lines: Lines) -> RenderableType:
    """A line of cells for each row. Columns for which the terminal is too narrow are left out."""
    columns = max(map(len, lines.rows))
    heads = panel.column_labels if len(panel.column_labels) == columns else ()
    names = panel.row_labels if len(panel.row_labels) == len(lines.rows) else ()
    widths = _widths(pen, panel, names, heads, columns)
    drawn = []
    if heads:
        shown = [_label(pen, head, widths.cell - 1, "center") for head in heads[: widths.columns]]
        drawn.append(Text(" ").join([Text(" " * (widths.names + 1)), *shown]))
    for r, row in enumerate(lines.rows):
        name = _label(pen, names[r] if names else "", widths.names, "right")
        cells = [
            _cell(pen, panel, value, widths, marked=lines is panel.own and panel.differs(r, c))
            for c, value in enumerate(row[: widths.columns])
        ]
        drawn.append(Text.assemble(name, " ", *cells))
    if columns > widths.columns:
        drawn.append(pen.write(f"… and {counted(columns - widths.columns, 'more column')}", "dim"))
    return Group(*drawn)


def _label(pen: Pen, text: str, width: int, align: Literal["center", "right"]) -> Text:
    label = pen.write(text, "dim")
    label.truncate(width, overflow="ellipsis" if pen.console.encoding.startswith("utf") else "crop")
    label.align(align, width)
    return label


def _cell(pen: Pen, panel: Drawn, value: float | None, widths: _Widths, *, marked: bool) -> Text:
    number = f"{written(value, panel.decimals):>{widths.number}}{'✗' if marked else ' '}"
    before = " " * ((widths.cell - widths.number) // 2)
    text = pen.write(f"{before}{number}".ljust(widths.cell))
    if value is None:
        text.stylize("bold red")
        return text
    ink, behind = colours(panel.share(value))
    text.stylize(f"{'bold ' if marked else ''}{ink} on {behind}")
    return text


def _curves(pen: Pen, panel: Drawn, lines: Lines) -> Table:
    """A line of bars for each curve, thinned where the terminal is narrow, with its first and last value."""
    own, points, step = lines is panel.own, max(map(len, lines.rows)), _step(pen, panel)
    table = Table.grid(padding=(0, 1, 0, 0))
    for justify in ("left", "left", "right", "right"):
        table.add_column(justify=justify, no_wrap=True)
    begin, end = (panel.x[0], panel.x[-1]) if panel.x else (0, points - 1)
    axis = f"{panel.x_axis}: {begin:g} … {end:g}" if panel.x_axis else f"{begin:g} … {end:g}"
    table.add_row("", *(pen.write(head, "dim") for head in (axis, "first", "last")))
    for r, (name, row) in enumerate(zip(lines.names, lines.rows, strict=True)):
        marked = own and any(panel.differs(r, c) for c in range(len(row)))
        named = pen.write(f"✗ {name}", "red") if marked else pen.write(name)
        bars = "".join(_bar(panel, value) for value in row[::step])
        table.add_row(named, pen.write(bars), _short(row[0]), _short(row[-1]))
    return table


def _step(pen: Pen, panel: Drawn) -> int:
    """Each which value of a curve there is room for: the same on both sides."""
    rows = [row for side in panel.sides for row in side.rows]
    names = max(len(f"✗ {name}") for side in panel.sides for name in side.names)
    first, last = (max(len(_short(row[end])) for row in rows) for end in (0, -1))
    room = pen.console.width - INDENT - names - max(first, len("first")) - max(last, len("last")) - 3
    return -(-max(map(len, rows)) // min(MOST_POINTS, max(FEWEST_POINTS, room)))


def _bar(panel: Drawn, value: float | None) -> str:
    return "?" if value is None else BARS[round(panel.share(value) * (len(BARS) - 1))]


def _short(value: float | None) -> str:
    return "nan" if value is None else f"{value:z.3g}"
