"""The files of a folder or a zip, as entries that are listed first and read one by one, within limits.

Nothing is ever written to disk, so a path that leads out of an archive leads nowhere; it is left out and
said. Links and special files are not opened.
"""

from __future__ import annotations

import calendar
import contextlib
import errno
import io
import os
import stat
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from softmarks.errors import GraderError, reason_of
from softmarks.submission import Unreadable
from softmarks.submission.decoding import signature
from softmarks.submission.names import ignored, printable, quoted, split_name

MAX_ENTRIES = 2000
MAX_EXPANDED = 64 * 2**20
MAX_DEPTH = 12
MAX_RATIO = 200  # deflate reaches 1032; notebooks full of numbers stay below 50
SMALL = 2**20  # an entry of this size is no bomb, whatever its ratio
MAX_DIRECTORY = 50_000  # headers in a zip, before anything is ignored

OUR_FAULT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}
ENCRYPTED = 0x1
UTF8_NAME = 0x800
OTHER_ARCHIVES = {
    ".rar": "RAR", ".7z": "7z", ".tar": "tar", ".gz": "gzip", ".tgz": "tar.gz", ".bz2": "bzip2", ".xz": "xz",
}  # fmt: skip
USE_ZIP = "hand in the files themselves or a .zip"


@dataclass(frozen=True)
class Entry:
    """One file. ``path`` is relative and printable; ``modified`` is a time in seconds; 0 when unknown.

    ``read(limit)`` returns its bytes, or raises Unreadable when there are more than ``limit``.
    """

    path: str
    modified: float
    read: Callable[[int], bytes]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def renamed(self, path: str) -> Entry:
        """The same file under another path."""
        return Entry(path, self.modified, self.read)


@dataclass
class Contents:
    """Files, what was left out (a sentence by path), and why archives among them could not be opened."""

    entries: list[Entry] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    unopened: list[str] = field(default_factory=list)


@dataclass
class Budget:
    """How much one student's archives may still expand to, all together."""

    left: int = MAX_EXPANDED

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Unreadable(f"the archive expands to more than {MAX_EXPANDED // 2**20} MiB")


def file_entry(path: Path, name: str) -> Entry:
    """A file on disk."""
    try:
        modified = path.stat().st_mtime
    except OSError:
        modified = 0.0
    return Entry(printable(name), modified, lambda limit: _read_file(path, limit))


def _read_file(path: Path, limit: int) -> bytes:
    """At most ``limit`` bytes of a regular file; a pipe that waits for a writer is not waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("this is not an ordinary file")
            return _limited(file.read(limit + 1), limit)
    except OSError as error:
        raise Unreadable(f"the file cannot be opened: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    """Why something cannot be opened. Raises GraderError where the machine is to blame, not the file."""
    reason = reason_of(error)
    if error.errno in OUR_FAULT:
        fix = "Make room (ulimit -n, memory), and run it again"
        raise GraderError(f"nothing can be read any more: {reason}", where=error.filename, fix=fix) from error
    return reason


def _limited(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        raise Unreadable(f"the file is larger than {limit // 2**20} MiB")
    return data


def folder_contents(root: Path) -> Contents:
    """The files under ``root``, sorted, without hidden ones. Raises Unreadable for too many of them."""
    contents = Contents()
    seen = 0
    pending = [(root, "", 1)]
    while pending:
        folder, prefix, depth = pending.pop()
        try:
            found = sorted(os.scandir(folder), key=lambda item: item.name)
        except OSError as error:
            name = quoted(prefix or root.name)
            contents.unopened.append(f"the folder {name} cannot be opened: {_reason(error)}")
            continue
        for item in found:
            if ignored(item.name):
                continue
            seen += 1
            if seen > MAX_ENTRIES:
                raise Unreadable(f"the folder holds more than {MAX_ENTRIES} files")
            path = f"{prefix}{item.name}"
            if item.is_symlink():
                contents.refused[printable(path)] = f"did not follow the link {quoted(path)}"
            elif item.is_file():
                contents.entries.append(file_entry(Path(item.path), path))
            elif not item.is_dir():
                contents.refused[printable(path)] = f"left out {quoted(path)}, which is not an ordinary file"
            elif depth >= MAX_DEPTH:
                contents.refused[printable(path)] = (
                    f"left out the folder {quoted(path)}, which is nested too deeply"
                )
            else:
                pending.append((Path(item.path), f"{path}/", depth + 1))
    contents.entries.sort(key=lambda entry: entry.path)
    return contents


def open_zip(source: Path | bytes) -> zipfile.ZipFile:
    """The archive, its directory read. Raises Unreadable, with a sentence, for what is no usable zip."""
    if isinstance(source, Path):
        try:
            with source.open("rb") as file:
                start = file.read(MAX_EXPANDED + 1)
        except OSError as error:
            raise Unreadable(f"the archive cannot be opened: {_reason(error)}") from None
        source = source if len(start) > MAX_EXPANDED else start
    else:
        start = source
    what = signature(start)
    if what is not None and what != "a zip archive":
        raise Unreadable(f"this is {what} with the name of a zip; {USE_ZIP}")
    if isinstance(source, bytes) and source.count(b"PK\x01\x02") > MAX_DIRECTORY:
        raise Unreadable(f"the archive holds more than {MAX_DIRECTORY} files")
    try:
        return zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
    except Exception:  # whatever zipfile stumbles over in hostile bytes
        broken = "broken or cut off" if what else "not a zip archive"
        raise Unreadable(f"the archive is {broken}; zip the files again, or {USE_ZIP}") from None


def zip_contents(archive: zipfile.ZipFile, budget: Budget) -> Contents:
    """The files in an open zip; hidden ones are passed over. Raises Unreadable when it is encrypted."""
    contents = Contents()
    for info in archive.infolist():
        path = _path(info)
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if info.is_dir() or path.endswith("/") or any(ignored(part) for part in parts if part != ".."):
            continue
        shown = quoted(path)
        if ".." in parts or path.startswith("/") or (len(path) > 1 and path[1] == ":"):
            contents.refused[printable(path)] = f"left out {shown}, whose path leads out of the archive"
        elif stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            link = stat.S_ISLNK(info.external_attr >> 16)
            contents.refused[printable(path)] = (
                f"left out {shown}, which is {'a link' if link else 'not an ordinary file'}"
            )
        elif info.flag_bits & ENCRYPTED:
            raise Unreadable("the archive is protected by a password; hand it in without one")
        elif _is_bomb(info):
            contents.refused[printable(path)] = (
                f"did not open {shown}: it expands to {info.file_size // 2**20} MiB"
            )
        else:
            name = printable("/".join(parts))
            contents.entries.append(Entry(name, _modified(info), _reader(archive, info, budget)))
    contents.entries.sort(key=lambda entry: entry.path)
    return contents


def _path(info: zipfile.ZipInfo) -> str:
    """The entry's path. A name not marked as UTF-8 is mostly UTF-8 all the same (macOS, Linux)."""
    name = info.filename
    if not info.flag_bits & UTF8_NAME:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _is_bomb(info: zipfile.ZipInfo) -> bool:
    return info.file_size > SMALL and info.file_size > MAX_RATIO * max(info.compress_size, 1)


def _modified(info: zipfile.ZipInfo) -> float:
    try:
        return float(calendar.timegm((*info.date_time, 0, 0, 0)))
    except ValueError:
        return 0.0


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Unreadable(f"it is compressed in an unusual way; {USE_ZIP}")
        try:
            with archive.open(info) as file:
                data = file.read(limit + 1)
        except Exception:  # whatever zipfile stumbles over in hostile bytes
            raise Unreadable("this part of the archive is damaged") from None
        budget.spend(len(data))
        return _limited(data, limit)

    return read


def expanded(contents: Contents, budget: Budget, levels: int = 2) -> Contents:
    """The same files, with each zip among them replaced by what it holds, zips in zips down to ``levels``.

    An archive that cannot be opened is listed with the reason. Raises Unreadable for too many files.
    """
    whole = Contents([], dict(contents.refused), list(contents.unopened))
    for entry in contents.entries:
        kind = split_name(entry.name)[1]
        if kind in OTHER_ARCHIVES:
            what = OTHER_ARCHIVES[kind]
            whole.unopened.append(f"{quoted(entry.path)}: {what} archives are not opened; {USE_ZIP}")
        elif kind != ".zip":
            whole.entries.append(entry)
        elif levels == 0:
            whole.unopened.append(f"{quoted(entry.path)}: the zip is nested too deeply; {USE_ZIP}")
        else:
            try:
                inside = zip_contents(open_zip(entry.read(MAX_EXPANDED)), budget)
                inside = expanded(inside, budget, levels - 1)
            except Unreadable as reason:
                whole.unopened.append(f"{quoted(entry.path)}: {reason}")
                continue
            prefix = f"{entry.path}/" if len(contents.entries) > 1 else ""
            whole.entries += [part.renamed(prefix + part.path) for part in inside.entries]
            whole.refused |= {prefix + path: sentence for path, sentence in inside.refused.items()}
            whole.unopened += inside.unopened
        if len(whole.entries) > MAX_ENTRIES:
            raise Unreadable(f"more than {MAX_ENTRIES} files were handed in")
    return whole
