"""Print files into a folder, again and again, and never over what a person changed by hand.

A record holds the checksum of each printed file. A file is a person's when its checksum is neither the
recorded one nor that of what would be printed now. Line ends do not count: git may change them.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from softmarks.course.text import read_text, write_bytes
from softmarks.errors import CourseError


@dataclass(frozen=True)
class Change:
    """A printed file that differs from the one on disk. ``diff`` is a unified diff, from disk to printed."""

    path: Path
    diff: str


class Printing:
    """What is to be printed into a folder, beside what lies there; recorded files no longer printed go.

    ``edited`` are the paths, in the folder, of files that a person changed. CourseError for a bad record.
    """

    def __init__(self, folder: Path, printed: Mapping[str, bytes], record: Path) -> None:
        self.folder = folder
        self.record = record
        self.recorded = _recorded(record)
        names = sorted({*printed, *self.recorded})
        self.before = {name: _on_disk(folder / name) for name in names}
        self.wanted = {name: printed.get(name) for name in names}
        self.edited = [
            name
            for name, data in self.before.items()
            if data is not None
            and not _same(data, self.wanted[name])
            and _checksum(data) != self.recorded.get(name)
        ]

    def changes(self) -> list[Change]:
        """What differs from the files on disk, the record last."""
        found = [
            Change(self.folder / name, _diff(f"{self.folder.name}/{name}", data, self.wanted[name]))
            for name, data in self.before.items()
            if not _same(data, self.wanted[name])
        ]
        old, new = _on_disk(self.record), self._new_record()
        return found if old == new else [*found, Change(self.record, _diff(self.record.name, old, new))]

    def write(self) -> list[Path]:
        """Print; what was written or taken away. Files that a person edited stay as they are."""
        written = []
        for name, data in self.wanted.items():
            if name not in self.edited and not _same(self.before[name], data):
                written.append(self.folder / name)
                if data is None:
                    written[-1].unlink()
                else:
                    write_bytes(written[-1], data)
        if _on_disk(self.record) != self._new_record():
            write_bytes(self.record, self._new_record())
        return written

    def _new_record(self) -> bytes:
        """The checksums; a file that stays a person's keeps its old one, so that it is known again."""
        checksums: dict[str, str] = {}
        for name, data in self.wanted.items():
            if name in self.edited:
                checksums |= {name: self.recorded[name]} if name in self.recorded else {}
            elif data is not None:
                checksums[name] = _checksum(data)
        return (json.dumps(checksums, indent=2, sort_keys=True) + "\n").encode()


def _recorded(record: Path) -> dict[str, str]:
    """The checksum of each file of the last time, by its path in the folder."""
    if not record.exists():
        return {}
    wrong = partial(CourseError, where=record, fix="Delete it and build again")
    try:
        checksums = json.loads(read_text(record))
    except json.JSONDecodeError as error:
        raise wrong(f"the record of printed files is no JSON: {error.msg}", line=error.lineno) from None
    if not isinstance(checksums, dict):
        raise wrong("the record of printed files does not map paths to checksums")
    for name in checksums:
        if ".." in PurePath(name).parts or PurePath(name).is_absolute():
            raise wrong(f"{name} in the record of printed files leads out of the folder")
    return checksums


def _on_disk(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _same(one: bytes | None, other: bytes | None) -> bool:
    return one == other or (one is not None and other is not None and _checksum(one) == _checksum(other))


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def _diff(name: str, old: bytes | None, new: bytes | None) -> str:
    return "".join(
        difflib.unified_diff(
            _lines(old),
            _lines(new),
            "/dev/null" if old is None else f"a/{name}",
            "/dev/null" if new is None else f"b/{name}",
        )
    )


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
