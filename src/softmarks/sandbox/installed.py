"""Where installed packages lie: the distributions that bring them, and all that these need.

What a package imports late is not seen in the modules that are there. Its metadata name it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path


def installed(packages: Iterable[str]) -> Iterator[Path]:
    """The files and folders of the distributions that bring ``packages``, and of all that they need."""
    from packaging.requirements import Requirement  # comes with pytest

    wanted, seen = [name for package in packages for name in distributions_of(package)], set[str]()
    while wanted:
        with suppress(PackageNotFoundError, ValueError):  # or metadata that cannot be read
            found = distribution(wanted.pop())
            if found.name not in seen:
                seen.add(found.name)
                yield from _outermost(found)
                needs = map(Requirement, found.requires or ())
                wanted += [
                    need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})
                ]


def distributions_of(package: str) -> list[str]:
    """The distributions that bring an importable package; most have its name. None where it is not here."""
    try:
        return [distribution(package).name]
    except PackageNotFoundError:
        return sorted(set(packages_distributions().get(package, ())))


def version_of(package: str) -> str:
    """The installed version of an importable package; nothing where none is known."""
    return " ".join(distribution(name).version for name in distributions_of(package))


def _outermost(found: Distribution) -> Iterator[Path]:
    """What a distribution has put beside others. Not what a course may have: that is never in a box."""
    lines = (found.read_text("RECORD") or "").splitlines()
    for name in {line.split(",")[0].split("/")[0] for line in lines}:
        if name and not name.startswith(("softmarks", "__", "..")):
            yield Path(str(found.locate_file(name)))
