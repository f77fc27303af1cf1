"""`course.lock`: with what an assignment is graded, so that a term ends with what it began with."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from softmarks import __version__
from softmarks.course.course import Course
from softmarks.course.text import read_text
from softmarks.errors import UsageError
from softmarks.grading.dependence import Dependence
from softmarks.sandbox.installed import version_of

LOCK = "course.lock"


class Locked(BaseModel):
    """One assignment: versions, and what an author wrote about each exercise, as a hash."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    course: str
    engine: str
    python: str
    packages: Mapping[str, str]
    exercises: Mapping[str, str]

    def differences(self, now: Locked) -> list[str]:
        """What is another now, in words."""
        found = [
            f"{what} {old}, and here is {new or 'none'}"
            for what, old, new in (
                ("version of the course", self.course, now.course),
                ("Softmarks", self.engine, now.engine),
                ("Python", self.python, now.python),
                *((name, old, now.packages.get(name, "")) for name, old in self.packages.items()),
            )
            if old != new
        ]
        changed = [name for name, old in self.exercises.items() if now.exercises.get(name, old) != old]
        return found + [f"another text, suite or solution of {name}" for name in changed]


class Lock(BaseModel):
    """All locked assignments, by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    assignments: Mapping[str, Locked] = {}


def locked(course: Course, root: Path) -> Lock:
    """The assignments of a course, with what is here now."""
    dependence = Dependence(course, root, trust=False)
    packages = {name: version_of(name).partition("+")[0] for name in course.packages}
    return Lock(
        assignments={
            part.name: Locked(
                course=course.version,
                engine=__version__,
                python=".".join(platform.python_version_tuple()[:2]),
                packages=packages,
                exercises={one.name: dependence.authored(one.name) for one in part.exercises},
            )
            for part in course.assignments
        }
    )


def read_lock(root: Path) -> Lock:
    """What is locked in a course; nothing without a ``course.lock``. Raises UsageError for a broken one."""
    path = root / LOCK
    if not path.is_file():
        return Lock()
    try:
        return Lock.model_validate_json(read_text(path))
    except ValidationError as error:
        fix = "Take it from your version control, or lock the assignments again"
        raise UsageError(f"it cannot be read: {error.errors()[0]['msg']}", where=path, fix=fix) from None


def refuse_differences(course: Course, root: Path) -> None:
    """Raise UsageError where an assignment is locked and would be graded with something else."""
    lock = read_lock(root).assignments
    if not lock:
        return
    now = locked(course, root).assignments
    for name, one in now.items():
        if name in lock and (found := lock[name].differences(one)):
            raise UsageError(
                f"{name} is locked with {'; '.join(found)}",
                where=root / LOCK,
                fix=f"Bring it back; or, if the change is meant, softmarks lock --assignment {name}",
            )
