"""An exercise's room: where its files lie in each tree, and what its author wrote about it.

``misconceptions.py`` lists wrong answers that have a name (``MISCONCEPTIONS``) and those without
thought (``TRIVIAL``); it is trusted, authored code, and is executed.
"""

from __future__ import annotations

import dataclasses
import re
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from softmarks.course.course import Course, Exercise
from softmarks.course.faults import course_error, faults_of
from softmarks.course.located import read_document
from softmarks.course.regions import without_markers
from softmarks.course.sheets import read_sheet, reasons
from softmarks.course.text import parsed, read_text
from softmarks.course.variants import HINTS, Misconception, Trivial, Variant, joined
from softmarks.errors import CourseError, SoftmarksError

__all__ = ["HINTS", "Misconception", "Room", "Trivial", "Variant", "joined", "room", "rooms"]


class _Equivalent(BaseModel):
    """A mutant that is the same program: the line before and after, and why."""

    model_config = ConfigDict(extra="forbid")

    was: str
    now: str
    why: str = Field(min_length=1)


class _Equivalents(BaseModel):
    """The file that lists them."""

    model_config = ConfigDict(extra="forbid")

    same: list[_Equivalent]


_SECTIONS = {"": ("same",), "same": ("was", "now", "why")}

_V = TypeVar("_V", bound=Variant)


@dataclass(frozen=True)
class Room:
    """Where one exercise's files lie. A path need not exist: `softmarks.course.completeness` looks."""

    exercise: Exercise
    root: Path

    @property
    def address(self) -> str:
        """``assignment/exercise``: the same relative path in every tree."""
        return f"{self.exercise.assignment}/{self.exercise.name}"

    @property
    def solution(self) -> Path:
        return self.root / "solutions" / f"{self.address}.py"

    @property
    def sheet(self) -> Path:
        """The questions, where the exercise is a question sheet and not a program."""
        return self.root / "solutions" / f"{self.address}.yml"

    @property
    def asked_sheet(self) -> Path:
        """The questions without answers, in an edition that does not hold those."""
        return self.graders / "questions.yml"

    @property
    def is_sheet(self) -> bool:
        return self.sheet.is_file() or self.asked_sheet.is_file()

    @property
    def stub(self) -> Path:
        """The stub as it is given out; in a student edition the file in exercises/ is the student's own."""
        kept = self.graders / "stub.py"
        return kept if kept.is_file() else self.printed

    @property
    def printed(self) -> Path:
        """Where the stub is printed from the solution."""
        return self.root / "exercises" / f"{self.address}.py"

    @property
    def graders(self) -> Path:
        """The folder that holds suites, misconceptions, alternatives, hints and explanation."""
        return self.root / "graders" / self.address

    @property
    def public(self) -> Path:
        return self.graders / "test_public.py"

    @property
    def hidden(self) -> Path:
        return self.graders / "test_hidden.py"

    @property
    def misconceptions_file(self) -> Path:
        return self.graders / "misconceptions.py"

    @property
    def alternatives(self) -> tuple[Path, ...]:
        """Right answers written otherwise, each a submission."""
        return tuple(sorted((self.graders / "alternatives").glob("*.py")))

    @property
    def fingerprints(self) -> Path:
        """What stands for the misconceptions in an edition that does not hold them."""
        return self.graders / "fingerprints.json"

    @property
    def hints_file(self) -> Path:
        return self.graders / "hints.md"

    @property
    def explanation_file(self) -> Path:
        return self.graders / "explanation.md"

    @property
    def picture(self) -> Path:
        """The file that defines ``show``, where there is something to see."""
        return self.graders / "show.py"

    @property
    def building_blocks(self) -> Path | None:
        """The assignment's given code: the author's copy, else the printed one (students have no other)."""
        for tree in ("solutions", "exercises"):
            path = self.root / tree / self.exercise.assignment / "building_blocks.py"
            if path.is_file():
                return path
        return None

    def given(self) -> dict[str, str]:
        """The text of each given module that a program may import, by the module's name."""
        blocks = self.building_blocks
        return {blocks.stem: read_text(blocks)} if blocks else {}

    def reference(self) -> str:
        """The reference solution as a submission: the authored file without its region markers."""
        text = read_text(self.solution)
        parsed(text, self.solution, "the solution")
        return without_markers(text)

    def statement(self) -> str:
        """What the exercise asks for, in Markdown: the texts of its stub."""
        texts: list[str] = []
        for cell in re.split(r"^# %%", read_text(self.stub), flags=re.M)[1:]:
            head, _, body = cell.partition("\n")
            if "[markdown]" in head:
                texts.append(re.sub(r"^# ?", "", body, flags=re.M).strip())
        return "\n\n".join(texts)

    def hints(self) -> dict[str, str]:
        """The hints by name, in the order nudge, formula, line."""
        path = self.hints_file
        parts = re.split(r"^## *(Nudge|Formula|Line) *$", read_text(path), flags=re.M)
        names = [name.lower() for name in parts[1::2]]
        texts = [text.strip() for text in parts[2::2]]
        if names != list(HINTS):
            raise CourseError(
                f"the headings are {', '.join(names) or 'missing'}",
                where=path,
                fix="Write three headings, in this order: ## Nudge, ## Formula, ## Line",
            )
        for name, text in zip(names, texts, strict=True):
            if not text:
                raise CourseError(f"the hint {name} is empty", where=path, fix="Write it under its heading")
        return dict(zip(names, texts, strict=True))

    def explanation(self) -> str:
        """What is told after success, in Markdown; "" where it does not ship."""
        if self.sheet.is_file():
            return reasons(read_sheet(self.sheet))
        return read_text(self.explanation_file) if self.explanation_file.is_file() else ""

    def misconceptions(self) -> tuple[Misconception, ...]:
        """The mistakes listed as MISCONCEPTIONS in misconceptions.py."""
        return self._listed("MISCONCEPTIONS", Misconception)

    def trivial(self) -> tuple[Trivial, ...]:
        """The answers without thought listed as TRIVIAL in misconceptions.py."""
        return self._listed("TRIVIAL", Trivial)

    def equivalents(self) -> dict[tuple[str, str], str]:
        """Why a mutant of the solution is the same program: from its line before and after, to the reason."""
        path = self.graders / "equivalents.yml"
        if not path.is_file():
            return {}
        document = read_document(path)
        try:
            listed = _Equivalents.model_validate(document.value).same
        except ValidationError as error:
            raise course_error(faults_of(error, _SECTIONS), document) from None
        return {(one.was, one.now): one.why for one in listed}

    def _listed(self, name: str, kind: type[_V]) -> tuple[_V, ...]:
        path = self.misconceptions_file
        listed = _run(path).get(name)
        if not isinstance(listed, list | tuple) or not all(type(item) is kind for item in listed):
            raise CourseError(
                f"{self.address}: {name} is not a list of {kind.__name__}",
                where=path,
                fix=f"Write {name} = [{kind.__name__}(…), …]",
            )
        _refuse_twice([item.id for item in listed], self.address, path)
        return tuple(dataclasses.replace(item, room=self.address) for item in listed)


def room(course: Course, root: Path, name: str) -> Room:
    """The room of the exercise called ``name``. Raises UsageError, with near names, when there is none."""
    return Room(course.exercise(name), root)


def rooms(course: Course, root: Path) -> list[Room]:
    """All rooms, in the order of the course."""
    return [Room(exercise, root) for exercise in course.exercises]


def _run(path: Path) -> dict[str, object]:
    """The names that an authored Python file defines when it is executed."""
    namespace: dict[str, object] = {"__name__": path.stem, "__file__": str(path)}
    source = read_text(path)
    try:
        exec(compile(source, str(path), "exec"), namespace)
    except SyntaxError as error:
        raise CourseError(
            f"the file is no Python: {error.msg}", where=path, line=error.lineno, fix="Repair it"
        ) from None
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        line = lines[-1] if lines else None
        if isinstance(error, SoftmarksError):
            raise CourseError(error.what, where=path, line=line, fix=error.fix) from None
        raise CourseError(
            f"{type(error).__name__}: {error}", where=path, line=line, fix="Repair it"
        ) from error
    return namespace


def _refuse_twice(ids: Sequence[str], address: str, path: Path) -> None:
    for position, name in enumerate(ids):
        if name in ids[:position]:
            raise CourseError(f"{address}: {name} is listed twice", where=path, fix="Give one another id")
