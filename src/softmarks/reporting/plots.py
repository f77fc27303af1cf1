"""Pictures in a file or for a notebook, drawn by matplotlib (the extra ``instructor``)."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from softmarks.errors import UsageError
from softmarks.pictures import Drawn, Lines, written
from softmarks.reporting.inert import inert

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LABELS = 16
MOST_WRITTEN = 150  # cells of a table whose numbers are written into them
INCH = 3.6
DPI = 150
SHOWN_DPI = 90  # in a notebook: sharp on a fine screen, and not too wide for any


def save_pictures(path: Path, exercise: str, panels: Sequence[Drawn]) -> None:
    """Draw every panel into one image; the format is that of the file's ending."""
    try:
        _save(path, exercise, panels)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the picture cannot be written: {error}", where=path, fix="Name a .png file"
        ) from error


def png(exercise: str, panels: Sequence[Drawn]) -> bytes:
    """Every panel in one PNG image. Raises UsageError where matplotlib is not installed."""
    image = io.BytesIO()
    _save(image, exercise, panels)
    return image.getvalue()


def _save(target: Path | io.BytesIO, exercise: str, panels: Sequence[Drawn]) -> None:
    """Draw the panels. Any text may stand in them: it is no formula, and a letter may lack in the font."""
    try:
        from matplotlib import rc_context
    except ImportError as error:
        raise UsageError(
            f"drawing a picture needs matplotlib: {error}", fix="Run pip install 'softmarks[instructor]'"
        ) from error
    with rc_context({"text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        _figure(exercise, [_harmless(panel) for panel in panels]).savefig(target, dpi=DPI)


def _harmless(panel: Drawn) -> Drawn:
    """A panel whose texts can be drawn, whoever wrote them."""
    texts = {name: inert(getattr(panel, name)) for name in ("title", "x_axis", "y_axis")}
    labels = {name: tuple(map(inert, getattr(panel, name))) for name in ("row_labels", "column_labels")}
    own, meant = (
        side
        and side.model_copy(update={"problem": inert(side.problem), "names": tuple(map(inert, side.names))})
        for side in (panel.own, panel.meant)
    )
    return panel.model_copy(update={**texts, **labels, "own": own, "meant": meant})


def shown_width(image: bytes) -> int:
    """The width, in pixels of a page, at which a PNG image of ours is easy to read."""
    width = int.from_bytes(image[16:20])  # a PNG begins with its size
    return round(width * SHOWN_DPI / DPI)


def in_words(exercise: str, panels: Sequence[Drawn]) -> str:
    """What panels show, for those who cannot see them."""
    return "; ".join(f"{panel.title or exercise}: {_in_words(panel)}" for panel in panels)


def _in_words(panel: Drawn) -> str:
    if panel.own.problem or panel.meant is None:
        return panel.own.problem or "your own values"
    return panel.differing or "as it is meant"


def _figure(exercise: str, panels: Sequence[Drawn]) -> Figure:
    """The panels, two to a row; where something is not as it is meant, each beside what is meant."""
    from matplotlib.figure import Figure

    beside = any(panel.meant is not None and (panel.wrong or panel.own.problem) for panel in panels)
    drawn: list[tuple[str, Drawn, Lines]] = []
    for panel in panels:
        title = panel.title or exercise
        if beside and panel.meant is not None:
            drawn += [(f"{title}: yours", panel, panel.own), (f"{title}: meant", panel, panel.meant)]
        else:
            drawn.append((title, panel, panel.own))
    columns = min(2, len(drawn))
    rows = -(-len(drawn) // columns)
    figure = Figure(figsize=(INCH * 1.4 * columns, INCH * rows), layout="constrained")
    places = list(figure.subplots(rows, columns, squeeze=False).flat)
    for place, (title, panel, lines) in zip(places, drawn, strict=False):
        place.set_title(title, fontsize=9)
        _draw(place, panel, lines)
    for place in places[len(drawn) :]:
        place.set_axis_off()
    return figure


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
