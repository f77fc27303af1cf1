"""What a student handed in, put back into the notebook that was given out. Nothing is run.

nbgrader needs every one of its cells once, and locked ones untouched. A student's notebook may have lost
some, doubled them, moved them, changed their type or text, or have no metadata any more. Here the
student's cells keep their order and text, and nbgrader's cells are as they were given out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from softmarks.submission.names import listing
from softmarks.submission.notebooks import Cell, defines

DEFINED = re.compile(r"^(?:def|class) (\w+)", re.M)


def restored(given: NotebookNode, handed: Sequence[Cell]) -> tuple[NotebookNode, list[str]]:
    """The cells that were handed in, inside the notebook that was given out; and what had to be repaired.

    All outputs are dropped: those that count are made anew.
    """
    watched = {grade_id(cell): cell for cell in given.cells if grade_id(cell)}
    chosen = _chosen(watched, handed)
    names = {position: name for name, position in chosen.items()}
    cells: list[NotebookNode] = []
    for position, cell in enumerate(handed):
        of = watched.get(names.get(position, ""))
        cells += [_extra(cell)] if of is None else _as_given(of, cell)
    before: str | None = None
    for name in watched:
        if name not in chosen:
            order = [grade_id(cell) for cell in cells]
            cells.insert(0 if before is None else order.index(before) + 1, deepcopy(watched[name]))
        before = name
    notebook = deepcopy(given)
    notebook.cells = cells
    return notebook, list(_repairs(watched, handed, chosen))


def grade_id(cell: NotebookNode) -> str:
    """What nbgrader calls a cell; "" for one that it does not watch."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _chosen(watched: Mapping[str, NotebookNode], handed: Sequence[Cell]) -> dict[str, int]:
    """Which of the cells that were handed in stands for each cell that was given out.

    The last one with its name, for a locked cell with its name and text; else one with its text; for code,
    the last that defines the same; for an answer in words, the text below the question.
    """
    chosen = {cell.name: position for position, cell in enumerate(handed) if cell.name in watched}
    for position, cell in enumerate(handed):
        if cell.name in watched and _is_locked(watched[cell.name]) and _same(watched[cell.name], cell):
            chosen[cell.name] = position
    free = set(range(len(handed))) - set(chosen.values())
    before: str | None = None
    for name, wanted in watched.items():
        if name not in chosen:
            found = [position for position in free if _same(wanted, handed[position])]
            if not found and not _is_locked(wanted):
                names = DEFINED.findall(wanted.source)
                found = [at for at in free if any(defines(handed[at].text, defined) for defined in names)]
            if not found and not _is_locked(wanted) and wanted.cell_type == "markdown" and before in chosen:
                below = chosen[before] + 1
                found = [below] if below in free and not handed[below].is_code else []
            if found:
                chosen[name] = max(found)
                free.remove(max(found))
        before = name
    return chosen


def _repairs(
    watched: Mapping[str, NotebookNode], handed: Sequence[Cell], chosen: Mapping[str, int]
) -> Iterator[str]:
    """What is told of cells that are there more than once, changed though locked, or missing."""
    names = [cell.name for cell in handed if cell.name in watched]
    doubled = [name for name in watched if names.count(name) > 1]
    if doubled:
        yield f"took the last of {listing(doubled)}, which is there more than once"
    changed = [
        name
        for name, cell in watched.items()
        if name in chosen and _is_locked(cell) and not _same(cell, handed[chosen[name]])
    ]
    if changed:
        yield f"put the text of what is locked back: {listing(changed)}"
    missing = [name for name in watched if name not in chosen]
    if missing:
        yield f"put back what was missing: {listing(missing)}"


def _is_locked(cell: NotebookNode) -> bool:
    return not cell.metadata.nbgrader.get("solution", False)


def _same(given: NotebookNode, handed: Cell) -> bool:
    return bool(given.source.strip() == handed.text.strip())


def _as_given(given: NotebookNode, handed: Cell) -> list[NotebookNode]:
    """A cell of nbgrader's, with the student's text where that is the student's to write.

    What was written into a locked cell, and counts as code, follows as a cell of its own.
    """
    cell = deepcopy(given)
    if not _is_locked(given):
        cell.source = handed.text
    elif handed.body is not None and not _same(given, handed):
        return [cell, _extra(handed)]
    return [cell]


def _extra(handed: Cell) -> NotebookNode:
    """A cell of the student's own."""
    new = new_code_cell if handed.is_code else new_markdown_cell
    return new(handed.text, id=f"handed-in-{handed.number}")
