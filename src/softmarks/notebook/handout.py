"""An exercise as a notebook of a student edition: the cells of its stub, and what Colab needs to check."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from softmarks.course.course import Course
from softmarks.course.rooms import Room, rooms
from softmarks.course.text import read_text
from softmarks.notebook.source import KERNEL

BADGE = (
    "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
    "(https://colab.research.google.com/github/{github}/blob/main/exercises/{address}.ipynb)"
)
COLABS_BADGE = {"id": "view-in-github", "colab_type": "text"}  # Colab then shows and replaces its own
SETUP = """\
# Run this cell first. Then `%check {exercise}` in a cell of your own says how far you are.
%load_ext softmarks"""
COLAB = """\
# Run this cell first; in Colab it fetches the course. Then `%check {exercise}` says how far you are.
import os
import sys

if "google.colab" in sys.modules:
    if not os.path.exists("/content/course"):
        !git clone -q --depth 1 https://github.com/{github} /content/course
        !pip install -q /content/course/*.whl
    %cd -q /content/course/exercises/{assignment}
%load_ext softmarks"""


def as_notebooks(files: dict[str, bytes], course: Course, root: Path, github: str | None) -> dict[str, bytes]:
    """The files of a student edition, its stubs as notebooks.

    ``github`` is OWNER/REPOSITORY where the edition will lie: notebooks then have a button that opens
    them in Colab, and fetch the course there.
    """
    found = dict(files)
    for place in rooms(course, root):
        del found[f"exercises/{place.address}.py"]
        found[f"exercises/{place.address}.ipynb"] = _notebook(place, github).encode()
    return found


def _notebook(place: Room, github: str | None) -> str:
    name = place.exercise.name
    words = {"exercise": name, "assignment": place.exercise.assignment, "address": place.address}
    script = jupytext.reads(read_text(place.stub), fmt={"extension": ".py", "format_name": "percent"})
    setup = (COLAB if github else SETUP).format(**words, github=github)
    metadata: dict[str, object] = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    cells = []
    if github:
        badge = BADGE.format(**words, github=github)
        cells.append(new_markdown_cell(badge, id=f"{name}-colab", metadata=COLABS_BADGE))
        metadata["colab"] = {"name": f"{name}.ipynb", "provenance": [], "toc_visible": True}
    cells.append(new_code_cell(setup, id=f"{name}-setup"))
    for number, cell in enumerate(script.cells, 1):
        new = new_markdown_cell if cell.cell_type == "markdown" else new_code_cell
        cells.append(new(cell.source, id=f"{name}-{number}"))
    notebook = new_notebook(cells=cells, metadata=metadata)
    nbformat.validate(notebook)
    return f"{nbformat.writes(notebook)}\n"
