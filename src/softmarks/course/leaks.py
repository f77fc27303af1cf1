"""Search what is given out for lines that must not be in it, in whatever form they are there.

Every byte is read: of files, of what is packed in them, of texts in JSON (so of a notebook's outputs,
metadata and attachments), and of what git remembers. What nobody can read is itself a finding.
"""

from __future__ import annotations

import gzip
import html
import io
import json
import re
import subprocess
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from softmarks.course.secrets import SHORTEST, plain

COMPILED = (".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib")
DEEPEST = 4  # layers of packing
UNREAD = re.compile(
    rb"\xfd7zXZ\0|BZh[1-9]1AY&SY|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd"
)  # archives
LARGEST = 64 * 2**20  # bytes of one packed file
BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{40,}\s{0,2})+[A-Za-z0-9+/]*")


@dataclass(frozen=True)
class Leak:
    """Something in a file that must not be given out, and what it is."""

    where: str
    what: str


def find_leaks(target: Path, secrets: Mapping[str, str]) -> list[Leak]:
    """What leaks from a folder or a file, each finding once."""
    return leaks_of(dict(_files(target)), secrets)


def leaks_of(files: Mapping[str, bytes | None], secrets: Mapping[str, str]) -> list[Leak]:
    """What leaks from files, by their paths; None stands for what nobody can read."""
    search = _Search(secrets)
    found = [Leak(where, what) for where, data in files.items() for what in search.data(where, data)]
    return list(dict.fromkeys(found))


def _files(target: Path) -> Iterator[tuple[str, bytes | None]]:
    """Each file's path and its bytes; of a git folder, what it remembers too."""
    if target.is_file():
        yield target.name, target.read_bytes()
        return
    for path in sorted(target.rglob("*")):
        where = path.relative_to(target).as_posix()
        if path.is_symlink():
            yield where, None
        elif path.is_file():
            yield where, path.read_bytes()
        elif path.name == ".git":
            yield f"{where} (an earlier version)", _remembered(path)


def _remembered(git: Path) -> bytes | None:
    """All that a repository holds, of any version; None where git is not there to read it."""
    try:
        done = subprocess.run(
            ["git", "--git-dir", str(git), "cat-file", "--batch-all-objects", "--batch", "--buffer"],
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


class _Search:
    """Looks for lines by their first characters: one pass over a text, however many lines there are."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.secrets = secrets
        self.by_start: dict[str, list[str]] = {}
        for line in secrets:
            self.by_start.setdefault(line[:SHORTEST], []).append(line)

    def data(self, name: str, data: bytes | None, depth: int = 0) -> Iterator[str]:
        """What leaks from a file's bytes."""
        if data is None:
            yield "nobody can see here what is in it: give out a plain file"
        elif name.endswith(COMPILED):
            yield "a compiled file: nobody can read what is in it"
        elif UNREAD.match(data):
            yield "an archive of a kind that is not opened here: give out a ZIP"
        elif depth > DEEPEST:
            yield "it is packed too often to be read"
        else:
            yield from self._inside(data, depth)
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                yield from self._text(data.decode("utf-16", "replace"), depth)
            else:
                yield from self._text(data.decode("utf-8", "replace"), depth)

    def _inside(self, data: bytes, depth: int) -> Iterator[str]:
        """What is packed in a file, or written in base64."""
        try:
            if data.startswith(b"PK"):
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    for member in archive.infolist():
                        with archive.open(member) as file:
                            packed = file.read(LARGEST + 1)
                        yield from self.data(member.filename, _whole(packed), depth + 1)
            elif data.startswith(b"\x1f\x8b"):
                with gzip.open(io.BytesIO(data)) as file:
                    yield from self.data("", _whole(file.read(LARGEST + 1)), depth + 1)
            elif data[:1] == b"\x78":
                yield from self.data(
                    "", _whole(zlib.decompressobj().decompress(data, LARGEST + 1)), depth + 1
                )
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
            yield "a packed file that cannot be read"
        except (OSError, EOFError, zlib.error):
            pass  # it only begins like one: it is read as it is
        for run in BASE64.findall(data):
            letters = b"".join(run.split())
            letters = letters[:-1] if len(letters) % 4 == 1 else letters  # no text has such a length
            yield from self.data("", b64decode(letters + b"=" * (-len(letters) % 4)), depth + 1)

    def _text(self, text: str, depth: int) -> Iterator[str]:
        """What leaks from a text: as it is, as HTML, and where it is JSON, from the texts in it."""
        yield from self._lines(text)
        if "&" in text:
            yield from self._lines(html.unescape(text))
        if depth <= DEEPEST and text.lstrip()[:1] in ("{", "["):
            try:
                values = list(_texts(json.loads(text)))
            except (ValueError, RecursionError):
                return
            for value in values:
                yield from self._text(value, depth + 1)
                yield from self._inside(value.encode("utf-8", "replace"), depth + 1)

    def _lines(self, text: str) -> Iterator[str]:
        text = plain(text)
        for position in range(len(text) - SHORTEST + 1):
            for line in self.by_start.get(text[position : position + SHORTEST], ()):
                if text.startswith(line, position):
                    yield f"a line of the {self.secrets[line]}: {line}"


def _whole(data: bytes) -> bytes | None:
    return data if len(data) <= LARGEST else None


def _texts(value: object) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
