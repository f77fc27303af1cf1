"""Pictures in a file, drawn by matplotlib (the extra ``instructor``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from softmarks.errors import UsageError
from softmarks.pictures import Drawn, Lines, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LABELS = 16
MOST_WRITTEN = 150  # cells of a table whose numbers are written into them
INCH = 3.6


def save_pictures(path: Path, exercise: str, panels: Sequence[Drawn]) -> None:
    """Draw every panel into one image; the format is that of the file's ending."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(
            f"drawing into a file needs matplotlib: {error}", fix="Run pip install 'softmarks[instructor]'"
        ) from error
    pairs = any(panel.meant is not None for panel in panels)
    columns = 2 if pairs else 1
    figure = Figure(figsize=(INCH * 1.4 * columns, INCH * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), columns, squeeze=False)
    for panel, row in zip(panels, axes, strict=True):
        sides = [("yours", panel.own)] + ([("meant", panel.meant)] if panel.meant is not None else [])
        for place, (whose, lines) in zip(row, sides, strict=False):
            place.set_title(f"{panel.title or exercise}: {whose}", fontsize=9)
            _draw(place, panel, lines)
        for place in row[len(sides) :]:
            place.set_axis_off()
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the picture cannot be written: {error}", where=path, fix="Name a .png file"
        ) from error


def _draw(axes: Axes, panel: Drawn, lines: Lines) -> None:
    if lines.problem:
        axes.set_axis_off()
        axes.text(0.5, 0.5, lines.problem, ha="center", va="center", wrap=True, fontsize=8)
    elif panel.kind == "heatmap":
        _heatmap(axes, panel, lines)
    else:
        _curves(axes, panel, lines)


def _heatmap(axes: Axes, panel: Drawn, lines: Lines) -> None:
    from matplotlib.patches import Rectangle

    table = [[float("nan") if value is None else value for value in row] for row in lines.rows]
    low, high = panel.span
    axes.imshow(table, aspect="auto", vmin=low, vmax=high)
    axes.set_xlabel(panel.x_axis, fontsize=8)
    axes.set_ylabel(panel.y_axis, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.set_xticks(range(len(table[0])) if len(table[0]) <= MOST_LABELS else [])
    axes.set_yticks(range(len(table)) if len(table) <= MOST_LABELS else [])
    if len(panel.column_labels) == len(table[0]):
        axes.set_xticks(range(len(table[0])), panel.column_labels, rotation=45, ha="right")
    if len(panel.row_labels) == len(table):
        axes.set_yticks(range(len(table)), panel.row_labels)
    for r, row in enumerate(lines.rows):
        for c, value in enumerate(row):
            if len(table) * len(table[0]) <= MOST_WRITTEN:
                ink = "black" if value is None or panel.share(value) > 0.5 else "white"
                number = written(value, panel.decimals)
                axes.text(c, r, number, ha="center", va="center", fontsize=7, color=ink)
            if lines is panel.own and panel.differs(r, c):
                axes.add_patch(Rectangle((c - 0.46, r - 0.46), 0.92, 0.92, fill=False, edgecolor="red"))


def _curves(axes: Axes, panel: Drawn, lines: Lines) -> None:
    for name, row in zip(lines.names, lines.rows, strict=True):
        values = [float("nan") if value is None else value for value in row]
        x = panel.x if len(panel.x) == len(values) else range(len(values))
        axes.plot(x, values, label=name, marker="." if len(values) <= 20 else "")
    if panel.logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(panel.x_axis, fontsize=8)
    axes.set_ylabel(panel.y_axis, fontsize=8)
    axes.tick_params(labelsize=7)
    if len(lines.names) > 1:
        axes.legend(fontsize=7)
