"""What is left of a solution file for a student: regions cleared, each with a text of its own.

Needs jupytext and nbgrader (the extra ``instructor``).
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from pathlib import Path
from typing import Any

from softmarks.course.course import Exercise
from softmarks.course.regions import BEGIN, END, markers
from softmarks.course.text import read_text
from softmarks.errors import CourseError, UsageError

try:
    import jupytext
    from nbgrader.preprocessors import ClearSolutions
except ImportError as error:
    raise UsageError(
        f"building a course needs jupytext and nbgrader: {error}",
        fix="Run pip install 'softmarks[instructor]'",
    ) from error

_PERCENT = {"extension": ".py", "format_name": "percent", "comment_magics": False}
_CELL = re.compile(r"^# %%")


class Stubs(ClearSolutions):  # type: ignore[misc]  # nbgrader has no types
    """Clears solution regions, each with a text of its own.

    A region in a function becomes an error that names the function, or ``Class.method``; one at
    module level becomes a comment, so that the file still imports.
    """

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Clear a cell region by region; nbgrader itself knows one text for all of them."""
        if cell.cell_type != "code" or not any(markers(cell.source.split("\n"))):
            cell, resources = super().preprocess_cell(cell, resources, cell_index)
            return cell, resources
        functions = _functions(cell.source)
        lines = cell.source.split("\n")
        ends = [number + 1 for number, kind, _ in markers(lines) if kind == END]
        cleared: list[str] = []
        for begin, end in itertools.pairwise([0, *ends, len(lines)]):
            part = lines[begin:end]
            for number, _, text in itertools.islice(markers(part), 1):  # nbgrader clears what has no region
                self.code_stub = {"python": _stub(functions.get(begin + number), text)}
                cell.source = "\n".join(part)
                cell, resources = super().preprocess_cell(cell, resources, cell_index)
                part = cell.source.split("\n")
            cleared += part
        cell.source = "\n".join(cleared)
        return cell, resources


def stub_source(solution: Path, exercise: Exercise) -> str:
    """The stub of ``exercise``: a percent script without header, printed from its solution file.

    Raises CourseError when the file is no Python, when a region is not closed, or when what is left
    without the solutions is no Python.
    """
    text = read_text(solution)
    _checkmarkers(text, solution)
    _parse(text, solution, "the solution", "Repair it")
    notebook = jupytext.reads(text, fmt=_PERCENT)
    notebook.metadata["jupytext"] = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "-all"}
    stubs = Stubs(enforce_metadata=False, begin_solution_delimeter=BEGIN, end_solution_delimeter=END)
    notebook, _ = stubs.preprocess(notebook, {})
    stub: str = jupytext.writes(notebook, fmt=_PERCENT)
    _parse(
        stub, solution, f"what is left of {exercise.name} without solutions", "Put regions inside functions"
    )
    return stub


def _stub(function: str | None, text: str) -> str:
    if function is None:
        return f"# {text or 'Your code goes here.'}"
    message = json.dumps(f"{function}: {text or 'your code goes here'}", ensure_ascii=False)
    return f"raise NotImplementedError({message})"


def _functions(source: str) -> dict[int, str]:
    """The name of the top-level function, or ``Class.method``, around each line (from 0) that has one."""
    names: dict[int, str] = {}
    pending: list[tuple[str, ast.stmt]] = [("", node) for node in ast.parse(source).body]
    while pending:
        prefix, node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            end = node.end_lineno or node.lineno
            names.update(dict.fromkeys(range(node.lineno, end), f"{prefix}{node.name}"))
        if isinstance(node, ast.ClassDef):
            pending += [(f"{prefix}{node.name}.", member) for member in node.body]
    return names


def _checkmarkers(text: str, path: Path) -> None:
    """Raise CourseError unless every region begins and ends, one after the other, in one cell."""
    opened: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        kind = next((kind for _, kind, _ in markers([line])), None)
        if kind is None and (BEGIN in line or END in line):
            what, fix = "a region's marker is not on a line of its own", "Put it on its own line"
        elif kind == BEGIN and opened is not None:
            what, fix = f"a region begins inside the one of line {opened}", f"Close that one with {END}"
        elif kind == END and opened is None:
            what, fix = "a region ends that never began", f"Begin it with {BEGIN}"
        elif opened is not None and _CELL.match(line):
            what, fix = f"a cell begins inside the region of line {opened}", f"Close the region with {END}"
        else:
            if kind is not None:
                opened = number if kind == BEGIN else None
            continue
        raise CourseError(what, where=path, line=number, fix=fix)
    if opened is not None:
        raise CourseError("the region is not closed", where=path, line=opened, fix=f"Close it with {END}")


def _parse(text: str, path: Path, what: str, fix: str) -> None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        line = f" (line {error.lineno} of it)" if error.lineno else ""
        raise CourseError(f"{what} is no Python: {error.msg}{line}", where=path, fix=fix) from None
