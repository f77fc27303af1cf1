"""Files that are written whole or not at all, and a person's name as a part of a file's."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path

from softmarks.errors import UsageError, reason_of

PART = ".part"  # a file that is not written to its end
LONGEST_STEM = 200  # bytes; common file systems allow 255
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # Windows


def write_atomically(path: Path, content: str | bytes, *, mode: int = 0o666) -> None:
    """Write bytes, or text as UTF-8, so that ``path`` holds either all of it or what it held before.

    Raises UsageError when the folder is missing or read-only, or the disk is full.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    part = path.parent / f".{secrets.token_hex(8)}{PART}"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"cannot be written: {reason_of(error)}",
            where=path,
            fix="Nothing was changed; make room or choose another folder, and run it again",
        ) from error


def remove_unfinished(folder: Path) -> None:
    """Take away what a process that was killed while it wrote here has left. Nobody else may be writing."""
    for part in folder.glob(f".*{PART}"):
        part.unlink(missing_ok=True)


def safe_stem(name: str) -> str:
    """A person's name as the stem of a file: itself, or a safe one with a digest for what is no file name."""
    stem = re.sub(r'[/\\:*?"<>|]', "_", name)
    stem = "".join(char if char.isprintable() else "_" for char in stem)
    if len(stem.encode("utf-8")) > LONGEST_STEM:
        stem = stem.encode("utf-8")[:LONGEST_STEM].decode("utf-8", "ignore")
    if stem.startswith(".") or not stem.strip(". ") or RESERVED.fullmatch(stem):
        stem = f"_{stem.lstrip('.')}"
    if stem == name:
        return stem
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{stem}-{digest}"
