"""One file that a student handed in, as the source text of one exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from softmarks.submission import Unreadable
from softmarks.submission.decoding import decode
from softmarks.submission.names import split_name
from softmarks.submission.notebooks import Cell, Notebook, read_cells, read_notebook
from softmarks.submission.syntax import fault, in_words

MAX_FILE = 4 * 2**20
MAX_NOTEBOOK = 16 * 2**20
EMPTY = "is empty (0 bytes)"


@dataclass(frozen=True)
class Source:
    """The program that a student handed in for one exercise.

    ``text`` is ``"\\n\\n".join(cells)``. A ``.py`` file is one cell. The cells are run in turn in one
    namespace, each compiled by itself: what one raises does not stop the next. ``text`` is decoded: an
    encoding that its first lines name no longer means anything. ``handed`` are all cells of a notebook as
    they were handed in, texts too. ``modified`` is the file's own word on its time, 0 without one.
    """

    exercise: str
    text: str
    filename: str
    repairs: tuple[str, ...]
    unreadable: str = ""  # why it cannot be read; text is "" then, and the exercise is ungradable
    cells: tuple[str, ...] = ()
    handed: tuple[Cell, ...] = field(default=(), compare=False)
    modified: float = field(default=0.0, compare=False)

    @property
    def empty(self) -> bool:
        """Whether the file had no byte: nothing of any exercise can be in it."""
        return self.unreadable.endswith(EMPTY)


def size_limit(filename: str) -> int:
    """How many bytes a file of this name may have."""
    return MAX_NOTEBOOK if split_name(filename)[1] == ".ipynb" else MAX_FILE


def read_source(data: bytes, filename: str, exercise: str, answers: Sequence[str]) -> Source:
    """The program in a ``.py`` or ``.ipynb`` file. Never raises for bad bytes: ``unreadable`` says why."""
    try:
        read = _program(data, filename, answers)
    except Unreadable as reason:
        return Source(exercise, "", filename, (), str(reason))
    return Source(
        exercise, "\n\n".join(read.cells), filename, read.repairs, cells=read.cells, handed=read.handed
    )


def read_session(code: Mapping[int, str], exercise: str, answers: Sequence[str]) -> Source:
    """The program in the cells that a running notebook has executed, by their numbers."""
    try:
        notebook = read_cells(code, answers)
    except Unreadable as reason:
        return Source(exercise, "", "", (), str(reason))
    return Source(exercise, "\n\n".join(notebook.cells), "", notebook.repairs, cells=notebook.cells)


def _program(data: bytes, filename: str, answers: Sequence[str]) -> Notebook:
    """The cells in a file's bytes; a ``.py`` file is a notebook of one cell."""
    limit = size_limit(filename)
    if len(data) > limit:
        raise Unreadable(f"the file is larger than {limit // 2**20} MiB")
    is_notebook = split_name(filename)[1] == ".ipynb"
    if not data:
        raise Unreadable(f"the {'notebook' if is_notebook else 'file'} {EMPTY}")
    decoded = decode(data)
    if is_notebook or _looks_like_notebook(decoded.text):
        notebook = read_notebook(decoded.text, answers)
        renamed = () if is_notebook else ("the file is a notebook; read as one",)
        return replace(notebook, repairs=decoded.repairs + renamed + notebook.repairs)
    repairs = list(decoded.repairs)
    if not decoded.text.strip():
        repairs.append("the file is empty")
    if "\t" in decoded.text and isinstance(error := fault(decoded.text), TabError):
        repairs.append(f"tabs and spaces are mixed; Python says: {in_words(error)}")
    return Notebook((decoded.text,), tuple(repairs))


def _looks_like_notebook(text: str) -> bool:
    return (
        text.lstrip().startswith("{")
        and ('"cells"' in text or '"worksheets"' in text)
        and '"nbformat"' in text
    )
