"""Read a file that an author wrote: UTF-8 text of a sane size, or an error that says what to do."""

from __future__ import annotations

import ast
from pathlib import Path

from softmarks.errors import CourseError, reason_of

MAX_BYTES = 2**20


def read_text(path: Path) -> str:
    """The text of an authored file, with ``\\n`` line ends and without a byte order mark.

    Raises CourseError when the file is missing, larger than `MAX_BYTES`, or not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise CourseError("there is no such file", where=path, fix="Create it") from None
    except OSError as error:
        reason = reason_of(error)
        raise CourseError(
            f"the file cannot be read: {reason}", where=path, fix="Repair its rights"
        ) from error
    if len(data) > MAX_BYTES:
        raise CourseError("the file is larger than 1 MiB", where=path, fix="Take out what is not course text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CourseError("the text is not UTF-8", where=path, line=line, fix="Save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parsed(source: str, path: Path, what: str = "the file") -> ast.Module:
    """The syntax tree of what was read from an authored file. Raises CourseError where it is no Python."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        fault = f"{what} is no Python: {error.msg}"
        raise CourseError(fault, where=path, line=error.lineno, fix="Repair it") from None


def write_text(path: Path, text: str) -> None:
    """Put the whole text in place at once, its folder too: whoever reads meanwhile sees old or new."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Put a whole file in place at once, its folder too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
