"""Where installed packages lie: the distributions that bring them, and all that these need; never a course.

What a package imports late is not seen in the modules that are there. Its metadata name it. A distribution
without a RECORD, as an editable one, is not found so: of it there is what a warm process has imported.
"""

from __future__ import annotations

import csv
import posixpath
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    entry_points,
    packages_distributions,
)
from pathlib import Path

from packaging.requirements import Requirement

COURSES = "softmarks.courses"  # the entry points of installed courses
OWN = (".dist-info", ".libs")  # ends the name of a folder that no other distribution shares


def installed(packages: Iterable[str]) -> list[Path]:
    """The files and folders of the distributions that bring ``packages``, and of all that they need."""
    courses = [point.dist for point in entry_points(group=COURSES) if point.dist]
    hidden = {path for course in courses for path in _outermost(course)}
    names = [name for package in packages for name in distributions_of(package)]
    found = {path for one in needed(names) for path in _outermost(one)}
    return sorted(found - hidden)


def needed(names: Iterable[str]) -> Iterator[Distribution]:
    """Distributions, and all that they need here. What is not installed is left out."""
    wanted, seen = [*map(Requirement, names)], set[tuple[str, frozenset[str]]]()
    while wanted:
        need = wanted.pop()
        with suppress(PackageNotFoundError, ValueError):  # not installed, or metadata that cannot be read
            found = distribution(need.name)
            if (found.name, frozenset(need.extras)) not in seen:
                seen.add((found.name, frozenset(need.extras)))
                yield found
                wanted += [
                    one for one in map(Requirement, found.requires or ()) if _applies(one, need.extras)
                ]


def _applies(need: Requirement, extras: Iterable[str]) -> bool:
    """Whether a requirement holds on this machine, for a distribution that was asked for with ``extras``."""
    return not need.marker or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def distributions_of(package: str) -> list[str]:
    """The distributions that bring an importable package; most have its name. Empty where it is not here."""
    try:
        return [distribution(package).name]
    except PackageNotFoundError:
        return sorted(set(packages_distributions().get(package, ())))


@cache
def version_of(package: str) -> str:
    """The installed version of an importable package; nothing where none is known.

    It is looked up once in a process, for which it is what is imported; to find it may take long.
    """
    return " ".join(distribution(name).version for name in distributions_of(package))


def _outermost(found: Distribution) -> Iterator[Path]:
    """What a distribution put beside others: a folder that is its own alone, of a shared one each entry.

    Not softmarks, whose suites a host must not read; no ``.pth`` files, which are lists of paths; no links.
    """
    below: dict[str, set[str]] = {}
    for row in csv.reader((found.read_text("RECORD") or "").splitlines()):
        first, _, rest = posixpath.normpath(row[0] if row else "").partition("/")
        if first not in ("", ".", "..") and not first.startswith(("softmarks", "__")):
            below.setdefault(first, set()).add(rest.partition("/")[0])
    for first, names in below.items():
        path = Path(str(found.locate_file(first)))
        shared = path.is_dir() and not (first.endswith(OWN) or (path / "__init__.py").is_file())
        for each in (path / name for name in names if name) if shared else [path]:
            if each.suffix != ".pth" and not path.is_symlink() and not each.is_symlink():
                yield each
