"""Which names authored files define when they are imported, in a process of their own: this module, run."""

from __future__ import annotations

import contextlib
import json
import runpy
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from softmarks.errors import GraderError


@dataclass(frozen=True)
class Imported:
    """What importing one file gave: the names that it defines, or the ``error`` that it raised."""

    names: frozenset[str]
    error: str


def imported(files: Sequence[Path]) -> list[Imported]:
    """Import authored files in another process, each with its own folder on the path."""
    command = [sys.executable, "-P", "-m", __name__, *map(str, files)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return [Imported(frozenset(), "importing it did not end within 300 seconds") for _ in files]
    if done.returncode:
        raise GraderError(f"importing stubs ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return [Imported(frozenset(names), error) for names, error in json.loads(done.stdout.splitlines()[-1])]


def _names(file: Path) -> tuple[list[str], str]:
    sys.path.insert(0, str(file.parent))
    sys.modules.pop("building_blocks", None)  # another assignment's
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return sorted(runpy.run_path(str(file))), ""
    except (Exception, SystemExit) as error:
        return [], f"{type(error).__name__}: {error}"
    finally:
        sys.path.remove(str(file.parent))


if __name__ == "__main__":
    print(json.dumps([_names(Path(name)) for name in sys.argv[1:]]))
