"""bubblewrap around the warm process, where it is installed: what a host may not read is not there at all.

Landlock keeps a host from reading; the names, sizes and link targets of what it cannot read stay visible.
In a box of its own the machine consists of the interpreter, the libraries, the course's packages with what
they need, and the scratch folders. There is no network, and no process but the warm one and its hosts.

Which modules the packages import is known only after they are imported, so a box shows the distributions
that their metadata name. What does not start in it, or misses something there, is started without one.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from softmarks.sandbox import confinement

ENGINE = ("__init__.py", "errors.py", "sandbox")  # of our own package, what a warm process imports
NEEDED = ("pyseccomp",)  # what that imports
LINKS = ("/lib", "/lib32", "/lib64")  # where programs say that the loader is
DEVICES = ("/dev/null", "/dev/urandom")


@cache
def bubblewrap() -> str | None:
    """The program, where it is installed; and where a process can be named across a border of pids."""
    return shutil.which("bwrap") if hasattr(os, "pidfd_open") else None


def boxed(command: Sequence[str], libraries: Iterable[Path], scratch: Path) -> list[str]:
    """The command that runs ``command``, a Python that imports from ``libraries``, in a box.

    It may write into ``scratch`` alone, has its own numbers of processes, of which it is the first, and
    ends with the process that starts it.
    """
    arguments = ["--unshare-all", "--die-with-parent", "--as-pid-1", "--proc", "/proc", "--chdir", "/"]
    for device in DEVICES:
        arguments += ["--dev-bind", device, device]
    for name in confinement.SYSTEM_FILES:
        if not name.startswith(("/dev/", "/proc/")):
            arguments += ["--ro-bind-try", name, name]
    for link in map(Path, LINKS):
        if link.is_symlink():
            arguments += ["--symlink", str(link.readlink()), str(link)]
        else:
            arguments += ["--ro-bind-try", str(link), str(link)]
    covers: list[str] = []
    folders = {folder.resolve(): folder for folder in confinement.library_folders()}
    for folder in (folder for real, folder in folders.items() if folders.keys().isdisjoint(real.parents)):
        arguments += _shown(folder)
        for place in _inside(folder, confinement.site_folders()):
            covers.append(str(place))
            arguments += ["--tmpfs", str(place)]
    for path in (*_interpreter(), *_engine(), *libraries):
        arguments += _shown(path)
    arguments += ["--bind", str(scratch), str(scratch)]
    for covered in (*covers, "/"):
        arguments += ["--remount-ro", covered]
    return [bubblewrap() or "bwrap", *arguments, "--", *command]


def _shown(path: Path) -> list[str]:
    """A file or folder can be read at its place, and where links on the way lead."""
    places = dict.fromkeys((str(path), str(path.resolve())))
    return [word for place in places for word in ("--ro-bind-try", place, place)]


def _inside(folder: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    """Those of the ``hidden`` folders that lie below ``folder``, by each name that it is shown under."""
    real = folder.resolve()
    for place in hidden:
        if place.is_relative_to(real) and place.is_dir():
            yield from {folder / place.relative_to(real), place}


def _interpreter() -> Iterator[Path]:
    """The interpreter itself, and the files by which it finds its packages."""
    yield Path(sys.executable)
    yield Path(sys.prefix, "pyvenv.cfg")
    for folder in map(Path, site.getsitepackages()):
        for file in folder.glob("*.pth"):
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            if not any(line.startswith("import") for line in lines):  # paths, no program
                yield file


def _engine() -> Iterator[Path]:
    """What a warm process imports of our own package; the rest of it is nobody's business there."""
    package = Path(__file__).parents[1]
    return (package / name for name in ENGINE)
