"""From a notebook's JSON to the Python of its code cells, without what only a notebook understands.

A program is a tuple of cells, to be run one after the other in one namespace, so that a cell that raises
does not keep the next ones from running. Names that a notebook has by itself (``display``, ``get_ipython``)
are left in the text: whoever runs it defines a ``display`` that does little. Cells are counted from 1, text
cells too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from softmarks.submission import Unreadable
from softmarks.submission.names import listing, printable
from softmarks.submission.syntax import fault, in_words

MAX_CELLS = 2000
MAX_CODE = 4 * 2**20
MAX_PARSED = 2 * 2**20  # characters that are parsed for one notebook, all tries together

RUNS_BODY = {"time", "timeit", "capture", "prun"}  # cell magics whose body is plain Python
ASSIGNED_COMMAND = re.compile(r"[^=!%#'\"]*=\s*[!%]")
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Notebook:
    """The Python cells of a notebook, each headed by a comment with its number, and what was repaired."""

    cells: tuple[str, ...]
    repairs: tuple[str, ...]


@dataclass
class _Cell:
    number: int
    is_code: bool
    text: str
    body: str | None = None  # the Python in it, when it is taken
    fault: SyntaxError | None = None


def read_notebook(text: str, answers: Sequence[str]) -> Notebook:
    """The program in a notebook. A name of ``answers`` that no code cell defines is taken from a text cell.

    Raises Unreadable for what is no notebook.
    """
    document = _document(text)
    cells = _cells(document)
    if sum(len(cell.text) for cell in cells if cell.is_code) > MAX_CODE:
        raise Unreadable("the notebook holds more than 4 MiB of code")
    repairs = _language(document)
    reader = _Reader()
    for cell in cells:
        if cell.is_code:
            reader.take(cell)
    repairs += _rescued(cells, answers, reader)
    repairs += reader.repairs()
    repairs += _left_out(cells)
    repairs += _repeats(cells)
    taken = [f"# cell {cell.number}\n{cell.body}" for cell in cells if cell.body is not None]
    if not taken:
        repairs.append("the notebook has no code")
    return Notebook(tuple(taken), tuple(repairs))


def _document(text: str) -> dict[str, Any]:
    if not text.strip():
        raise Unreadable("the notebook is empty")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        end = " (the end of the file)" if not text[error.pos :].strip() else ""
        raise Unreadable(
            f"the notebook is cut off or damaged: {error.msg}, line {error.lineno} column {error.colno}{end}"
        ) from None
    except (RecursionError, ValueError):
        raise Unreadable("the notebook is damaged: its JSON cannot be read") from None
    if not isinstance(document, dict):
        raise Unreadable("this is JSON, but not a notebook")
    return document


def _cells(document: dict[str, Any]) -> list[_Cell]:
    """All cells in document order; those of a notebook of format 3 lie in worksheets."""
    lists = [document.get("cells")]
    if not isinstance(lists[0], list):
        worksheets = document.get("worksheets")
        sheets = worksheets if isinstance(worksheets, list) else []
        lists = [
            sheet["cells"]
            for sheet in sheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
        ]
        if not lists:
            raise Unreadable("this is JSON, but not a notebook: it has no cells")
    raw = [cell for cells in lists for cell in cells or ()]
    if len(raw) > MAX_CELLS:
        raise Unreadable(f"the notebook has more than {MAX_CELLS} cells")
    return [
        _Cell(number, _is_code(cell), _text(cell))
        for number, cell in enumerate(raw, 1)
        if isinstance(cell, dict)
    ]


def _is_code(cell: dict[str, Any]) -> bool:
    kind = cell.get("cell_type")
    return kind == "code" or (kind is None and ("outputs" in cell or "execution_count" in cell))


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        ended = all(line.endswith("\n") for line in lines[:-1])
        source = ("" if ended else "\n").join(lines)
    if not isinstance(source, str):
        return ""
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    # JSON can spell half a character (a lone surrogate), which no text may hold
    return source.encode("utf-8", "replace").decode("utf-8").rstrip()


def _language(document: dict[str, Any]) -> list[str]:
    metadata = document.get("metadata")
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(key) if isinstance(metadata, dict) else None
        language = part.get(name) if isinstance(part, dict) else None
        if isinstance(language, str) and language and "python" not in language.lower():
            return [f"the notebook says that it is written in {printable(language, 30)}; read as Python"]
    return []


class _Reader:
    """Takes the Python out of cells, and remembers the notebook commands that it dropped."""

    def __init__(self) -> None:
        self.dropped: dict[str, None] = {}
        self.left = MAX_PARSED

    def take(self, cell: _Cell, text: str | None = None) -> None:
        """Set the cell's body, or its fault; neither when nothing of it is Python."""
        lines = (cell.text if text is None else text).split("\n")
        if not self._without_cell_command(lines):
            return
        indent = re.match(r"[ \t]*", next((line for line in lines if line.strip()), ""))
        margin = indent[0] if indent else ""
        lines = [line.removeprefix(margin) for line in lines]
        error = self._fault(lines)
        while error is not None and self._without_command(lines, error):
            error = self._fault(lines)
        if error is not None:
            cell.fault = error
        elif any(line.strip() for line in lines):
            cell.body = "\n".join(lines).rstrip("\n")

    def _fault(self, lines: list[str]) -> SyntaxError | None:
        source = "\n".join(lines)
        self.left -= len(source)
        return fault(source) if self.left > 0 else None

    def _without_cell_command(self, lines: list[str]) -> bool:
        """Blank the ``%%`` lines at the top; whether what follows is Python."""
        for at, line in enumerate(lines):
            command = line.strip()
            if command.startswith("%%"):
                self.dropped[command] = None
                name = re.match(r"%%(\w*)", command)
                if name is None or name[1] not in RUNS_BODY:
                    return False
                lines[at] = ""
            elif command and not command.startswith("#"):
                break
        return True

    def _without_command(self, lines: list[str], error: SyntaxError) -> bool:
        """Put ``pass`` for the commands from the line that is not Python on; whether there are any."""
        at = (error.lineno or 0) - 1
        if not 0 <= at < len(lines) or not _is_command(lines[at]):
            return False
        while at < len(lines) and _is_command(lines[at]):
            line = lines[at]
            self.dropped[line.strip()] = None
            lines[at] = line[: len(line) - len(line.lstrip())] + "pass"
            while line.endswith("\\") and at + 1 < len(lines):
                at += 1
                line, lines[at] = lines[at], ""
            at += 1
        return True

    def repairs(self) -> list[str]:
        count = len(self.dropped)
        if not count:
            return []
        names = listing(printable(command, 40) for command in self.dropped)
        return [f"dropped {count} notebook command{'s' * (count > 1)}: {names}"]


def _is_command(line: str) -> bool:
    text = line.strip().rstrip("; ")
    return text.startswith(("%", "!", "?")) or text.endswith("?") or ASSIGNED_COMMAND.match(text) is not None


def _rescued(cells: list[_Cell], answers: Sequence[str], reader: _Reader) -> list[str]:
    """Take text cells, and code cells that a ``%%`` command switched off, for names that no code defines."""
    repairs: list[str] = []
    code = "\n".join(cell.body for cell in cells if cell.body is not None)
    for name in answers:
        if binds(code, name):
            continue
        for cell in cells:
            if cell.body is None and cell.fault is None and defines(cell.text, name):
                text = re.sub(r"\A(\s*%%.*\n)+", "", cell.text)
                fenced = FENCED.findall(text)
                reader.take(cell, "\n".join(fenced) if fenced else text)
                if cell.body is not None:
                    what = "a code cell that a % command had switched off" if cell.is_code else "a text cell"
                    repairs.append(f"took cell {cell.number}, {what}, because it defines {name}")
                    code += f"\n{cell.body}"
    return repairs


def defines(text: str, name: str) -> bool:
    """Whether ``text`` has a ``def`` or ``class`` of this name, at any depth."""
    return (
        re.search(rf"^[ \t>]*(?:async[ \t]+)?(?:def|class)[ \t]+{re.escape(name)}\b", text, re.MULTILINE)
        is not None
    )


def binds(text: str, name: str) -> bool:
    """Whether ``text`` defines, assigns or imports ``name``, as far as its lines show."""
    word = re.escape(name)
    pattern = rf"^[ \t]*{word}[ \t]*(?::|=(?!=))|^[ \t]*(?:from|import)\b.*\b{word}\b"
    return defines(text, name) or re.search(pattern, text, re.MULTILINE) is not None


def _left_out(cells: list[_Cell]) -> list[str]:
    faults = [(cell.number, cell.fault) for cell in cells if cell.fault is not None]
    repairs = [
        f"left out cell {number}, which is not Python: {in_words(error)}" for number, error in faults[:5]
    ]
    if len(faults) > 5:
        repairs.append(f"left out {len(faults) - 5} more cells that are not Python")
    return repairs


def _repeats(cells: list[_Cell]) -> list[str]:
    first: dict[str, int] = {}
    repeats = []
    for cell in cells:
        if cell.body is not None and cell.body.strip():
            original = first.setdefault(cell.body, cell.number)
            if original != cell.number:
                repeats.append(f"cell {cell.number} repeats cell {original}")
    return [listing(repeats)] if repeats else []
