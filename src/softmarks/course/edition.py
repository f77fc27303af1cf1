"""What a student edition says about itself: which assignments it has, and how many checks it has not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from softmarks.course.text import read_text
from softmarks.errors import CourseError

NAME = "edition.json"


class Edition(BaseModel):
    """The assignments and exercises that are in it, and the number of hidden checks by exercise and kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exercises: tuple[str, ...]
    hidden: dict[str, dict[str, int]]

    def held_back(self, exercise: str) -> str:
        """How many checks run elsewhere, and of which kinds; nothing where there are none."""
        kinds = self.hidden.get(exercise, {})
        if not kinds:
            return ""
        number = sum(kinds.values())
        checks, run = ("check", "runs") if number == 1 else ("checks", "run")
        return f"{number} hidden {checks} ({', '.join(kinds)}) {run} when you submit"


def read_edition(root: Path) -> Edition | None:
    """What the student edition in ``root`` says; None where all of a course is there."""
    path = root / NAME
    if not path.is_file():
        return None
    try:
        return Edition.model_validate_json(read_text(path))
    except ValidationError:
        what = "the student edition does not say what is in it"
        raise CourseError(what, where=path, fix="Get the edition again") from None


def edition_text(exercises: Sequence[str], hidden: dict[str, dict[str, int]]) -> str:
    """What is written into the edition."""
    return Edition(exercises=tuple(exercises), hidden=hidden).model_dump_json(indent=1) + "\n"
