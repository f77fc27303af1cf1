"""A table that a person or a platform wrote: CSV with any usual separator, each row with its line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from softmarks.errors import UsageError, reason_of

SEPARATORS = ",;\t"


@dataclass(frozen=True)
class Row:
    """The cells of one row, as many as the header has, and the line where it begins."""

    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Table:
    """A header and its rows, without empty ones. ``separator`` is what stood between the cells."""

    where: Path
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    separator: str

    @property
    def names(self) -> list[str]:
        """The header as people mean it: `Student ID` and `student-id` are `student_id`."""
        return [re.sub(r"[\s-]+", "_", name.lower()) for name in self.header]


def read_table(path: Path, most_bytes: int) -> Table:
    """The table in a UTF-8 file, with or without a byte order mark.

    Raises UsageError when the file cannot be read, is larger than ``most_bytes`` or no UTF-8, when a quote
    is left open, and for a row that is longer than the header.
    """
    text = _text(path, most_bytes)
    separator = _separator(text)
    rows = list(_rows(path, text, separator))
    if not rows:
        raise UsageError("the file is empty", where=path, fix="Its first line names the columns")
    header = tuple(name.strip() for name in rows[0].cells)
    return Table(path, header, tuple(_fitted(path, row, len(header)) for row in rows[1:]), separator)


def _text(path: Path, most_bytes: int) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(f"the file cannot be read: {reason}", where=path, fix="Check the path") from error
    if len(data) > most_bytes:
        what = f"the file is larger than {most_bytes // 2**20} MiB"
        raise UsageError(what, where=path, fix="Take out what does not belong in it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        fix = "Save it as CSV in UTF-8 (Excel: CSV UTF-8)"
        raise UsageError("the text is not UTF-8", where=path, line=line, fix=fix) from None


def _separator(text: str) -> str:
    """What parts the header into the most cells; the comma where nothing does."""
    head = next((line for line in text.splitlines() if line.strip()), "")
    return max(SEPARATORS, key=lambda mark: _parts(head, mark))


def _parts(line: str, mark: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=mark), []))
    except csv.Error:  # a cell of more than 128 KiB: told when the table is read
        return 0


def _rows(path: Path, text: str, separator: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(tuple(cells), line)
            line = reader.line_num + 1
    except csv.Error as error:
        fix = 'Close each quote that is opened; within quotes, write "" for one'
        raise UsageError(f"the table cannot be read: {error}", where=path, line=line, fix=fix) from None


def _fitted(path: Path, row: Row, width: int) -> Row:
    if any(cell.strip() for cell in row.cells[width:]):
        what = f"the row has {len(row.cells)} cells, the header {width}"
        raise UsageError(what, where=path, line=row.line, fix="Put a cell with a separator in it into quotes")
    return Row((*row.cells[:width], *[""] * (width - len(row.cells))), row.line)
