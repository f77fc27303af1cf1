"""What is remembered of a learner's own checks: what is done, hints given, first tries, own judgements.

One small JSON file beside the work. It is a learner's own; nothing that is graded reads it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from softmarks.course.course import Exercise
from softmarks.course.text import write_text
from softmarks.course.working_copy import NAME
from softmarks.grading.hinting import told_hint
from softmarks.verdict import ExerciseVerdict, Outcome

__all__ = ["NAME", "Diary", "next_exercise"]


def next_exercise(exercises: Sequence[Exercise], states: Mapping[str, str]) -> Exercise | None:
    """What to go on with: the first exercise that is begun, else the first that is not done."""
    left = [one for one in exercises if states.get(one.name) != "done"]
    return next((one for one in left if states.get(one.name) == "begun"), next(iter(left), None))


@dataclass(frozen=True)
class Diary:
    """The diary in a folder of work."""

    folder: Path

    def note(self, verdict: ExerciseVerdict, *, done: bool) -> None:
        """Note how a check went. What is done stays done."""

        def write(pages: dict[str, Any]) -> None:
            states = pages.setdefault("states", {})
            if done or states.get(verdict.exercise) != "done":
                states[verdict.exercise] = "done" if done else "begun"
            pages.setdefault("told_hints", {})[verdict.exercise] = told_hint(verdict)

        self._write(write)

    def states(self) -> dict[str, str]:
        """``done`` or ``begun`` for each exercise that was checked."""
        return {name: str(state) for name, state in self._read().get("states", {}).items()}

    def hints(self, exercise: str) -> tuple[list[str], str]:
        """The hints that were given, by name, and the text of the one that the last mistake came with."""
        pages = self._read()
        given = pages.get("hints", {}).get(exercise, [])
        return [str(name) for name in given], str(pages.get("told_hints", {}).get(exercise, ""))

    def give(self, exercise: str, hints: list[str]) -> None:
        """Note which hints were given so far."""
        self._write(lambda pages: pages.setdefault("hints", {}).update({exercise: hints}))

    def first_tries(self, verdict: ExerciseVerdict) -> dict[str, bool]:
        """Whether each question of a sheet was right when it was answered first; notes those that are new."""
        tries: dict[str, bool] = {}

        def write(pages: dict[str, Any]) -> None:
            noted = pages.setdefault("first_tries", {}).setdefault(verdict.exercise, {})
            for check in verdict.checks:
                if check.outcome in (Outcome.PASSED, Outcome.WRONG_VALUE):
                    noted.setdefault(check.name, check.outcome is Outcome.PASSED)
            tries.update({name: right is True for name, right in noted.items()})

        self._write(write)
        return tries

    def judge(self, exercise: str, question: str, ticks: list[bool]) -> None:
        """Note how a learner judged an answer in words, a tick for each line of its rubric."""
        self._write(
            lambda pages: (
                pages.setdefault("own_judgement", {}).setdefault(exercise, {}).update({question: ticks})
            )
        )

    def _read(self) -> dict[str, Any]:
        """The pages; those that somebody has damaged are left out."""
        try:
            pages = json.loads((self.folder / NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        whole = pages if isinstance(pages, dict) else {}
        return {name: whole[name] for name, sound in PAGES.items() if sound(whole.get(name))}

    def _write(self, change: Callable[[dict[str, Any]], object]) -> None:
        pages = self._read()
        change(pages)
        with contextlib.suppress(OSError):  # a folder that cannot be written: nothing is remembered
            write_text(self.folder / NAME, json.dumps(pages, indent=2) + "\n")


def _texts(page: Any) -> bool:
    return isinstance(page, dict) and all(isinstance(value, str) for value in page.values())


def _lists(page: Any) -> bool:
    return isinstance(page, dict) and all(isinstance(value, list) for value in page.values())


def _dictionaries(page: Any) -> bool:
    return isinstance(page, dict) and all(isinstance(value, dict) for value in page.values())


PAGES: dict[str, Callable[[Any], bool]] = {
    "copy": lambda page: isinstance(page, dict),  # which course this is a working copy of
    "states": _texts,
    "told_hints": _texts,
    "hints": _lists,
    "first_tries": _dictionaries,
    "own_judgement": _dictionaries,
}
