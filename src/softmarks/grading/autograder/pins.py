"""The versions that are installed here, of a course's packages and of all that these and the engine need."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.utils import canonicalize_name
from packaging.version import Version

from softmarks.errors import UsageError
from softmarks.sandbox.installed import distributions_of, needed

ENGINE = "softmarks"


def pins(packages: Sequence[str]) -> tuple[str, str]:
    """Requirements for the packages that a course names, and constraints for everything, a line each.

    Local parts of versions (``+cpu``) are left out: they say where a build came from. Raises UsageError for
    a package that is not installed.
    """
    names = [name for package in packages for name in to_install(package)]
    versions: dict[str, str] = {
        canonicalize_name(found.name): Version(found.version).public for found in needed([ENGINE, *names])
    }
    del versions[ENGINE]
    wanted = sorted({canonicalize_name(name) for name in names})
    return _lines({name: versions[name] for name in wanted}), _lines(versions)


def to_install(package: str) -> Sequence[str]:
    """What to install for a package that is imported by this name."""
    found = distributions_of(package)
    if not found:
        what = f"the course needs {package}, which is not installed"
        raise UsageError(what, fix="Install it: the release is made with the versions that are here")
    return found


def _lines(versions: dict[str, str]) -> str:
    return "".join(f"{name}=={version}\n" for name, version in sorted(versions.items()))
