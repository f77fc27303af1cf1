"""What is known of the mistakes that people make, and the form in which a student edition carries it.

Fingerprints tell how each misconception fares in a public suite. They hold signatures, of wrong answers
alone: no edit, no solution, and no number that could be turned back into an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from softmarks.course.interface import Interface
from softmarks.errors import CourseError
from softmarks.grading.account import Signatures, signatures_from_json, signatures_to_json
from softmarks.grading.diagnosis import Together


class Mistake(Protocol):
    """A mistake as it is told."""

    @property
    def says(self) -> str: ...

    @property
    def hint(self) -> str: ...


@dataclass(frozen=True)
class Known:
    """The names that a stub asks for; the mistakes, and how they fare in a suite, alone or together."""

    names: Interface
    mistakes: Mapping[str, Mistake]
    fare: Callable[[], Mapping[str, Signatures]]
    together: Together | None


class _Fingerprint(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    says: str
    hint: str
    fails: dict[str, dict[str, Any]]


class _Fingerprints(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    names: dict[str, tuple[str, ...]]
    mistakes: tuple[_Fingerprint, ...]


def fingerprints(known: Known) -> str:
    """What a student edition carries of it: the misconceptions that fail some case of the public suite."""
    fare = known.fare()
    listed = [
        _Fingerprint(id=one, says=mistake.says, hint=mistake.hint, fails=signatures_to_json(fare[one]))
        for one, mistake in known.mistakes.items()
        if not all(end.passed for end in fare[one].values())
    ]
    return _Fingerprints(names=dict(known.names), mistakes=tuple(listed)).model_dump_json(indent=1) + "\n"


def read_fingerprints(path: Path) -> Known:
    """What a student edition knows. Raises CourseError where the file is broken."""
    try:
        read = _Fingerprints.model_validate_json(path.read_bytes())
        fare = {one.id: signatures_from_json(one.fails) for one in read.mistakes}
    except (OSError, ValidationError, KeyError, TypeError, ValueError) as error:
        raise CourseError(
            "the fingerprints cannot be read", where=path, fix="Get the course again, or delete this file"
        ) from error
    return Known(read.names, {one.id: one for one in read.mistakes}, lambda: fare, None)
