"""From a notebook's JSON to the Python of its code cells, without what only a notebook understands.

A program is a tuple of cells, to be run one after the other in one namespace, so that a cell that raises
does not keep the next ones from running. Names that a notebook has by itself (``display``, ``get_ipython``)
are left in the text: whoever runs it defines a ``display`` that does little. Cells are counted from 1, text
cells too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from softmarks.course.sheets import FREE_ANSWERS
from softmarks.submission import Unreadable
from softmarks.submission.names import listing, printable
from softmarks.submission.syntax import fault
from softmarks.submission.syntax import in_words as described

MAX_CELLS = 2000
MAX_CODE = 4 * 2**20
MAX_PARSED = 2 * 2**20  # characters that are parsed for one notebook, all tries together

RUNS_BODY = {"time", "timeit", "capture", "prun"}  # cell magics whose body is plain Python
ASSIGNED_COMMAND = re.compile(r"[^=!%#'\"]*=\s*[!%]")
# our own commands, which are nothing to speak of; a terminal takes them without %
OURS = re.compile(r"%?(?:check|hint|show)(?:\s+[\w./-]+)*|%?(?:re)?load_ext\s+softmarks")
OUR_CALL = re.compile(r"^[ \t]*assert_checked\(", re.MULTILINE)
BINDING = re.compile(r"^[ \t]*(?:(?:async|def|class)\b|\w+[ \t]*=(?!=))", re.MULTILINE)
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
EMPTY_ANSWER = "YOUR ANSWER HERE"
HEADING = re.compile(r"## (\w+)$", re.MULTILINE)  # of a question
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Notebook:
    """The Python cells of a notebook, each headed by a comment with its number, and what was repaired.

    ``handed`` are all its cells as they were handed in.
    """

    cells: tuple[str, ...]
    repairs: tuple[str, ...]
    handed: tuple[Cell, ...] = ()


@dataclass
class Cell:
    """A cell as it was handed in. ``name`` is what it was called when it was given out, if that is left."""

    number: int
    is_code: bool
    text: str
    name: str = ""
    body: str | None = None  # the Python in it, when it is taken
    fault: SyntaxError | None = None


def read_notebook(text: str, answers: Sequence[str]) -> Notebook:
    """The program in a notebook. A name of ``answers`` that no code cell defines is taken from a text cell.

    Raises Unreadable for what is no notebook.
    """
    document = _document(text)
    cells = _cells(document)
    program = _program(cells, answers)
    taken, repairs = list(program.cells), [*_language(document), *program.repairs, *_repeats(cells)]
    in_words = _answers_in_words(cells) if FREE_ANSWERS in answers else {}
    if in_words and not any(binds(text, FREE_ANSWERS) for text in taken):
        taken.append(f"{FREE_ANSWERS} = {in_words!r}")
    if not taken:
        repairs.append("the notebook has no code")
    return Notebook(tuple(taken), tuple(repairs), tuple(cells))


def read_cells(code: Mapping[int, str], answers: Sequence[str]) -> Notebook:
    """The program in code cells, in their order, by their numbers. Raises Unreadable for far too much."""
    return _program([Cell(number, True, text) for number, text in code.items()], answers)


def _program(cells: list[Cell], answers: Sequence[str]) -> Notebook:
    if sum(len(cell.text) for cell in cells if cell.is_code) > MAX_CODE:
        raise Unreadable("the notebook holds more than 4 MiB of code")
    reader = _Reader()
    for cell in cells:
        if cell.is_code:
            reader.take(cell)
    repairs = [*_rescued(cells, answers, reader), *reader.repairs(), *_left_out(cells)]
    taken = [f"# cell {cell.number}\n{cell.body}" for cell in cells if cell.body is not None]
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


def _cells(document: dict[str, Any]) -> list[Cell]:
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
    if raw and not any(map(_is_whole, raw)):
        raise Unreadable("the notebook is damaged: none of its cells holds text")
    return [
        Cell(number, _is_code(cell), _text(cell), _name(cell))
        for number, cell in enumerate(raw, 1)
        if isinstance(cell, dict)
    ]


def _is_whole(cell: object) -> bool:
    """Whether a cell holds what a cell should: text, or lines of it."""
    source = cell.get("source", cell.get("input", "")) if isinstance(cell, dict) else None
    return isinstance(source, str) or (
        isinstance(source, list) and all(isinstance(line, str) for line in source)
    )


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


def _name(cell: dict[str, Any]) -> str:
    """nbgrader's name of a cell, or its id, which is the same where the cell was given out by us."""
    metadata = cell.get("metadata")
    part = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    names = [part.get("grade_id") if isinstance(part, dict) else None, cell.get("id")]
    return next((name for name in names if isinstance(name, str) and NAME.fullmatch(name)), "")


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

    def take(self, cell: Cell, text: str | None = None) -> None:
        """Set the cell's body, or its fault; neither when nothing of it is Python."""
        if OUR_CALL.search(cell.text) and not BINDING.search(cell.text):
            return  # one of the cells that check the others
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
        elif any(line.strip() not in ("", "pass") for line in lines):
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
            if not OURS.fullmatch(_command(line)):
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
    text = _command(line)
    marked = (
        text.startswith(("%", "!", "?")) or text.endswith("?") or ASSIGNED_COMMAND.match(text) is not None
    )
    return marked or OURS.fullmatch(text) is not None


def _command(line: str) -> str:
    return line.strip().rstrip("; ")


def _rescued(cells: list[Cell], answers: Sequence[str], reader: _Reader) -> list[str]:
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
    pattern = rf"^[ \t]*(?:from|import)\b.*\b{word}\b"
    return writes(text, name) or re.search(pattern, text, re.MULTILINE) is not None


def in_cells(text: str, cells: Sequence[str]) -> str:
    """``text`` with each "your line 12", of the cells of a program together, as "line 3 of your cell 5"."""

    def place(found: re.Match[str]) -> str:
        left = int(found[1])
        for cell in cells:
            head, *lines = cell.split("\n")
            if left <= 1 + len(lines):
                return f"line {left - 1} of your {head.removeprefix('# ')}"
            left -= len(lines) + 2  # and an empty line
        return found[0]

    return re.sub(r"\byour line (\d+)", place, text)


def writes(text: str, name: str) -> bool:
    """Whether ``text`` defines or assigns ``name``, as far as its lines show."""
    pattern = rf"^[ \t]*{re.escape(name)}[ \t]*(?::|=(?!=))"
    return defines(text, name) or re.search(pattern, text, re.MULTILINE) is not None


def _answers_in_words(cells: list[Cell]) -> dict[str, str]:
    """The cells for answers, by question: a sheet's question ``why`` has a cell named ``SHEET-why``.

    Where no cell has that name any more, it is the text below the question, whose heading is ``why``.
    """
    found = {
        question: cell.text for cell in cells if (question := cell.name.partition("-")[2]).isidentifier()
    }
    for before, cell in pairwise(cells):
        heading = HEADING.match(before.text)
        if heading and not (before.is_code or cell.is_code or HEADING.match(cell.text)):
            found.setdefault(heading[1], cell.text)
    return {question: text.replace(EMPTY_ANSWER, "", 1).strip() for question, text in found.items()}


def _left_out(cells: list[Cell]) -> list[str]:
    faults = [(cell.number, cell.fault) for cell in cells if cell.fault is not None]
    repairs = [
        f"left out cell {number}, which is not Python: {described(error)}" for number, error in faults[:5]
    ]
    if len(faults) > 5:
        repairs.append(f"left out {len(faults) - 5} more cells that are not Python")
    return repairs


def _repeats(cells: list[Cell]) -> list[str]:
    first: dict[str, int] = {}
    repeats = []
    for cell in cells:
        if cell.body is not None and cell.body.strip():
            original = first.setdefault(cell.body, cell.number)
            if original != cell.number:
                repeats.append(f"cell {cell.number} repeats cell {original}")
    return [listing(repeats)] if repeats else []
