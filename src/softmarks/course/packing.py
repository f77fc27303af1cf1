"""Write many files at once: into a new folder, or into a ZIP that is the same for the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from softmarks.course.text import write_bytes
from softmarks.errors import UsageError, reason_of

LONG_AGO = (1980, 1, 1, 0, 0, 0)


def put(files: Mapping[str, bytes], target: Path) -> None:
    """Write files, by their paths: into a ZIP where ``target`` is called so, else into a new or empty folder.

    Raises UsageError for what is there already, and when it cannot be written.
    """
    packs = target.suffix.lower() == ".zip"
    refuse_what_is_there(target)
    try:
        for path, data in ({"": zipped(files)} if packs else files).items():
            write_bytes(target / path, data)
    except OSError as error:
        reason = reason_of(error)
        raise UsageError(f"it cannot be written: {reason}", where=target, fix="Name another place") from error


def refuse_what_is_there(target: Path) -> None:
    """Raise UsageError unless ``target`` is new, or an empty folder."""
    if target.exists() and (target.suffix.lower() == ".zip" or not target.is_dir() or any(target.iterdir())):
        raise UsageError(
            "there is something already",
            where=target,
            fix="Name a new folder or ZIP: what students have begun in this one would be lost",
        )


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The ZIP of files, by their paths. A script, which says in its first line what runs it, may be run."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.external_attr = (0o755 if data.startswith(b"#!") else 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
