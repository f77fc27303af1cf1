"""Wrong answers as small changes of the reference solution, with a name or without thought."""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from softmarks.errors import CourseError

HINTS = ("nudge", "formula", "line")

_WORD = re.compile(r"[\w.]{2}")
_ID = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")


@dataclass(frozen=True)
class Variant:
    """The reference solution, changed.

    ``edits`` are (old, new) texts; each old text occurs exactly once in the reference.
    ``replaces`` is a (name, source) pair that puts a whole definition in the place of the top-level
    function or class ``name``, or of a method ``Class.name``. The source is indented to fit.
    """

    id: str
    edits: tuple[tuple[str, str], ...] = ()
    replaces: tuple[str, str] | None = field(default=None, kw_only=True)
    room: str = field(default="", kw_only=True, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise CourseError(
                f"{self.id!r} is no id",
                fix="Write lower-case words joined by dashes, such as off-by-one",
            )
        if not isinstance(self.edits, tuple) or not all(_is_pair(edit) for edit in self.edits):
            raise CourseError(
                f"{self.id}: edits are not pairs",
                fix='Write edits=(("old text", "new text"),), with the comma after a single pair',
            )
        if self.replaces is not None and not _is_pair(self.replaces):
            raise CourseError(
                f"{self.id}: replaces is not a pair",
                fix='Write replaces=("function_name", "def function_name…")',
            )
        if not self.edits and self.replaces is None:
            raise CourseError(f"{self.id}: nothing is changed", fix="Give it edits=… or replaces=…")

    def apply(self, reference: str) -> str:
        """The reference with all edits made. Raises CourseError, naming room and id, if one does not fit."""
        changes = self._changes(reference)
        for (_, end, _), (start, _, _) in itertools.pairwise(changes):
            if start < end:
                raise self._error("its edits overlap", "Join the overlapping edits into one")
        return _changed(reference, changes)

    def _changes(self, reference: str) -> list[tuple[int, int, str]]:
        """What to put where: (start, end, new text) in the order of the reference."""
        changes = []
        for old, new in self.edits:
            count = reference.count(old) if old else 0
            if count != 1:
                shown = textwrap.shorten(old, 60) if old.strip() else repr(old)
                fix = (
                    "Copy it from the solution" if count == 0 else "Add a part of the line before or after it"
                )
                raise self._error(f"the text to edit occurs {count} times, not once: {shown}", fix)
            start = reference.index(old)
            changes.append((start, start + len(old), new))
        if self.replaces is not None:
            changes.append(self._replacement(reference, *self.replaces))
        return sorted(changes)

    def _replacement(self, reference: str, name: str, source: str) -> tuple[int, int, str]:
        found = _definitions(reference).get(name, [])
        if len(found) != 1:
            raise self._error(
                f"{name} is defined {len(found)} times in the solution, not once",
                "Name a top-level function or class, or a method as Class.method",
            )
        node = found[0]
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        assert node.end_lineno is not None  # ast.parse always sets it
        lines = reference.split("\n")
        start = sum(len(line) + 1 for line in lines[: first - 1])
        end = min(len(reference), sum(len(line) + 1 for line in lines[: node.end_lineno]))
        indented = textwrap.indent(textwrap.dedent(source).strip("\n"), " " * node.col_offset)
        return start, end, indented.rstrip() + ("\n" if reference[end - 1] == "\n" else "")

    def _error(self, what: str, fix: str) -> CourseError:
        place = f"{self.room}: {self.id}" if self.room else self.id
        return CourseError(f"{place}: {what}", fix=fix)


@dataclass(frozen=True)
class Misconception(Variant):
    """A mistake that people make: ``says`` names it to a student, ``hint`` is what to read then.

    ``keeps`` bounds the share of the points that a submission with this mistake alone retains.
    """

    says: str = field(kw_only=True)
    hint: str = field(kw_only=True)
    keeps: tuple[float, float] = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.says, str) or not self.says.strip():
            raise CourseError(f"{self.id}: it says nothing", fix="Write the sentence that names the mistake")
        if self.hint not in HINTS:
            raise CourseError(
                f"{self.id}: there is no hint {self.hint!r}", fix=f"Choose one of {', '.join(HINTS)}"
            )
        try:
            low, high = self.keeps
            right = 0 <= low <= high <= 1
        except (TypeError, ValueError):
            right = False
        if not right:
            raise CourseError(
                f"{self.id}: keeps is {self.keeps!r}", fix="Write a band of shares such as keeps=(0.2, 0.6)"
            )


@dataclass(frozen=True)
class Trivial(Variant):
    """An answer without thought, such as zeros or the input itself. It must keep few points."""


def joined(variants: Sequence[Variant], reference: str) -> str | None:
    """The reference with several changes at once; None where they touch the same text."""
    whole = [change for variant in variants for change in variant._changes(reference)]
    changes = sorted(_trimmed(reference, *change) for change in whole)
    for (_, end, _), (start, _, _) in itertools.pairwise(changes):
        if start < end:
            return None
    return _changed(reference, changes)


def _trimmed(text: str, start: int, end: int, new: str) -> tuple[int, int, str]:
    """A change without the words that it leaves as they are at its beginning and its end."""
    while start < end and new and text[start] == new[0]:
        start, new = start + 1, new[1:]
    while start and _WORD.fullmatch(text[start - 1 : start + 1]):  # back to the beginning of a word
        start, new = start - 1, text[start - 1] + new
    while start < end and new and text[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    while _WORD.fullmatch(text[end - 1 : end + 1]):
        end, new = end + 1, new + text[end]
    return start, end, new


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, str) for part in value)


def _changed(reference: str, changes: Sequence[tuple[int, int, str]]) -> str:
    text = reference
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    return text


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(source: str) -> dict[str, list[_Definition]]:
    """Top-level functions and classes by name, methods as ``Class.method``."""
    found: dict[str, list[_Definition]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, _Definition):
            found.setdefault(node.name, []).append(node)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, _Definition):
                    found.setdefault(f"{node.name}.{member.name}", []).append(member)
    return found
