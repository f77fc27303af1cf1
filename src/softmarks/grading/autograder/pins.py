"""The versions that are installed here, of a course's packages and of all that these and the engine need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from softmarks.errors import UsageError
from softmarks.sandbox.installed import distributions_of

ENGINE = "softmarks"


def pins(packages: Sequence[str]) -> tuple[str, str]:
    """Requirements for the packages that a course names, and constraints for everything, a line each.

    Local parts of versions (``+cpu``) are left out: they say where a build came from. Raises UsageError for
    a package that is not installed.
    """
    names = [name for package in packages for name in _distributions(package)]
    versions = _closure([ENGINE, *names])
    del versions[ENGINE]
    wanted = sorted({canonicalize_name(name) for name in names})
    return _lines({name: versions[name] for name in wanted}), _lines(versions)


def _distributions(package: str) -> Sequence[str]:
    """What to install for a package that is imported by this name."""
    found = distributions_of(package)
    if not found:
        what = f"the course needs {package}, which is not installed"
        raise UsageError(what, fix="Install it: the release is made with the versions that are here")
    return found


def _closure(names: Iterable[str]) -> dict[str, str]:
    """The versions of distributions and of all that they need; what is not installed here is left out."""
    versions: dict[str, str] = {}
    waiting = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        try:
            found = distribution(name)
        except PackageNotFoundError:  # needed on another system
            continue
        if name in versions:
            continue
        versions[name] = Version(found.version).public
        needed = [Requirement(line) for line in found.requires or ()]
        waiting += [
            canonicalize_name(one.name)
            for one in needed
            if one.marker is None or one.marker.evaluate({"extra": ""})
        ]
    return versions


def _lines(versions: dict[str, str]) -> str:
    return "".join(f"{name}=={version}\n" for name, version in sorted(versions.items()))
