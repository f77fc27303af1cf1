"""What a student hands in: one zip with the files of an assignment and a manifest that says what is in it.

The manifest is a convenience for both sides. It proves nothing, neither who wrote the files nor when: that is
the learning platform's to say.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from softmarks.errors import UsageError
from softmarks.submission import Unreadable
from softmarks.submission.archives import Budget, open_zip, zip_contents

MANIFEST = "manifest.json"
MOST = 2**20  # bytes of a manifest
LARGEST = 16 * 2**20  # bytes of one file
FORMAT = 1


class Manifest(BaseModel):
    """What a zip says about itself."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: int = FORMAT
    course: str = Field(max_length=200)
    course_version: str = Field(max_length=200)
    engine_version: str = Field(max_length=200)
    assignments: tuple[str, ...] = Field(max_length=1000)
    student_id: str = Field(max_length=200)
    student_name: str = Field("", max_length=200)
    packed_at: datetime
    files: dict[str, str] = Field(max_length=2000)  # SHA-256 by path


@dataclass(frozen=True)
class Inspection:
    """A zip that was handed in: its manifest, and which of its files are not as the manifest says."""

    manifest: Manifest
    changed: tuple[str, ...]
    lost: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return not (self.changed or self.lost or self.added)


def packed(files: Mapping[str, bytes], manifest: Manifest) -> bytes:
    """The zip of these files, by their paths, and of a manifest with their checksums."""
    whole = manifest.model_copy(update={"files": {path: checksum(data) for path, data in files.items()}})
    at = (*manifest.packed_at.timetuple()[:6],)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps(whole.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
        for path, data in {MANIFEST: text.encode(), **files}.items():
            entry = zipfile.ZipInfo(path, at)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def inspected(path: Path) -> Inspection:
    """Compare a zip with its manifest. Raises UsageError when it is no zip or has no manifest."""
    fix = "Pack it again with softmarks submit"
    try:
        with open_zip(path) as archive:
            entries = {entry.path: entry for entry in zip_contents(archive, Budget()).entries}
            if MANIFEST not in entries:
                raise UsageError("there is no manifest in it", where=path, fix=fix)
            manifest = Manifest.model_validate_json(entries.pop(MANIFEST).read(MOST))
            sums = {name: checksum(entry.read(LARGEST)) for name, entry in entries.items()}
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError("there is no such file", where=path, fix="Name the zip that you handed in") from None
    except Unreadable as reason:
        raise UsageError(str(reason), where=path, fix=fix) from None
    except ValidationError:
        raise UsageError("its manifest cannot be read", where=path, fix=fix) from None
    return Inspection(
        manifest,
        changed=tuple(sorted(name for name in sums if sums[name] != manifest.files.get(name, sums[name]))),
        lost=tuple(sorted(set(manifest.files) - set(sums))),
        added=tuple(sorted(set(sums) - set(manifest.files))),
    )


def checksum(data: bytes) -> str:
    """SHA-256, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
