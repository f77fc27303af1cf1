"""The audit trail of a results folder: a line of JSON an event, kept for ever, even if the power fails.

A line that was cut off while it was written is at the end of the file and has never been said to be kept.
It does not count. Whoever adds the next event keeps the piece too, as an event of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from softmarks.errors import UsageError, reason_of
from softmarks.reporting.files import write_atomically
from softmarks.submission.names import printable

TRAIL = "audit-trail.jsonl"
CUT_OFF = "cut-off"  # what the event with the piece of a line is called
SHOWN = 200  # characters of a piece


@dataclass(frozen=True)
class Event:
    """One line of a trail."""

    content: Mapping[str, Any]
    line: int


def read_events(folder: Path) -> list[Event]:
    """What happened, in its order. Raises UsageError for a line that cannot be read, and was not cut off."""
    lines, _ = _read(folder)
    found = []
    for number, line in lines:
        content = _parsed(line)
        if content is None:
            raise unreadable(folder, number)
        found.append(Event(content, number))
    return found


def unreadable(folder: Path, line: int) -> UsageError:
    """The error for a line that makes no sense."""
    fix = "Repair the line: a person's marks are in this file"
    return UsageError("this line cannot be read", where=folder / TRAIL, line=line, fix=fix)


def cut_off(folder: Path) -> str:
    """A sentence on the piece of a line at the end of the trail; nothing where all lines are whole."""
    _, piece = _read(folder)
    if not piece:
        return ""
    words = printable(piece.decode("utf-8", "replace"), SHOWN)
    return (
        f"{folder / TRAIL}: the last line was cut off while it was written, as when the power fails. "
        f"It does not count; if it was a mark that you gave, give it again: {words}"
    )


def add_events(folder: Path, events: Sequence[Mapping[str, object]], at: str) -> None:
    """Keep these too, all or none. When it returns they are on the disk."""
    lines, piece = _read(folder)
    if piece:
        events = [{"what": CUT_OFF, "text": piece.decode("utf-8", "replace")}, *events]
    whole = [line + b"\n" for _, line in lines]
    whole += [json.dumps({"at": at, **event}).encode() + b"\n" for event in events]
    write_atomically(folder / TRAIL, b"".join(whole))
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)  # else the name may still lead to the file of before
    finally:
        os.close(handle)


def _read(folder: Path) -> tuple[list[tuple[int, bytes]], bytes]:
    """The lines with their numbers, and what follows the last line end, if it is no line yet."""
    try:
        *lines, last = (folder / TRAIL).read_bytes().split(b"\n")
    except FileNotFoundError:
        return [], b""
    except OSError as error:
        what = f"the file cannot be read: {reason_of(error)}"
        raise UsageError(what, where=folder / TRAIL, fix="Repair its rights") from error
    if last.strip() and _parsed(last) is not None:
        lines, last = [*lines, last], b""
    return list(_numbered(lines)), last if last.strip() else b""


def _numbered(lines: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
