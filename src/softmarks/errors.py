"""Every error that Softmarks raises on purpose.

    SoftmarksError            what happened, where, and what to do next
    ├── UsageError            exit 2: a wrong name, a missing folder, a busy output folder
    │   └── CourseError       a course.yml or an authored file that is wrong
    ├── GraderError           exit 3: our fault, never the student's
    └── NotConfined           exit 3: other people's work would run without a wall around it

What a *submission* does wrong is not an error: it is an outcome in a verdict.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path


class SoftmarksError(Exception):
    """A fault told to a person: ``what`` happened, ``where``, and what to do (``fix``)."""

    exit_code = 3

    def __init__(
        self,
        what: str,
        *,
        where: Path | str | None = None,
        line: int | None = None,
        fix: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.line = line
        self.fix = fix

    def __str__(self) -> str:
        place = "" if self.where is None else f"{self.where}: "
        if self.where is not None and self.line is not None:
            place = f"{self.where}:{self.line}: "
        advice = "" if self.fix is None else f". {self.fix}"
        return f"{place}{self.what}{advice}"


class UsageError(SoftmarksError):
    """A command was given something that it cannot use."""

    exit_code = 2


class CourseError(UsageError):
    """``course.yml`` or an authored file is wrong."""


class GraderError(SoftmarksError):
    """The grader itself failed. Never a student's zero."""


class NotConfined(SoftmarksError):
    """This machine cannot put a wall around other people's programs."""


def reason_of(error: OSError) -> str:
    """What the system says of an error, as a part of a sentence."""
    return (error.strerror or str(error)).lower()


def lookalikes(name: str, among: Collection[str]) -> list[str]:
    """Names that look like one that is missing, the nearest first: for an error to offer."""
    plain = {other: other.lower().replace("_", "") for other in among}
    folded = [other for other in among if plain[other] == name.lower().replace("_", "")]
    return list(dict.fromkeys(folded + difflib.get_close_matches(name, among, n=3, cutoff=0.6)))
