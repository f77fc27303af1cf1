"""Keep between runs how authored programs fared, beside a hash of everything that it depends on.

The files are JSON. One that is missing, broken or of another version is not an error: what it held is
played again. A cache that cannot be written is none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

ENGINE = ("course", "grading", "sandbox")


def folder() -> Path:
    """Where this user's cache lies."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "softmarks"


def key(parts: Iterable[str]) -> str:
    """A name for everything that what is kept depends on."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


@cache
def engine() -> str:
    """A name for all of the engine that has a say in how a program fares."""
    package = Path(__file__).parents[1]
    parts = [path for part in ENGINE for path in sorted((package / part).rglob("*.py"))]
    return key(path.read_text(encoding="utf-8") for path in (package / "verdict.py", *parts))


def load(path: Path) -> Any:
    """What was kept in ``path``; None when there is nothing that can be read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def save(path: Path, data: Any) -> None:
    """Keep ``data`` in ``path``."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(data, file)
        Path(name).replace(path)
