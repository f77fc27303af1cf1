"""What a learner's own checks are remembered by: first tries at questions, and own judgements of words.

One small JSON file beside the work. It is a learner's own; nothing that is graded reads it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from softmarks.course.text import write_text
from softmarks.verdict import ExerciseVerdict, Outcome

NAME = ".softmarks.json"


@dataclass(frozen=True)
class Diary:
    """The diary in a folder of work."""

    folder: Path

    def first_tries(self, verdict: ExerciseVerdict) -> dict[str, bool]:
        """Whether each question of a sheet was right when it was answered first; notes those that are new."""
        pages = self._read()
        tries: dict[str, bool] = pages.setdefault("first_tries", {}).setdefault(verdict.exercise, {})
        for check in verdict.checks:
            if check.outcome in (Outcome.PASSED, Outcome.WRONG_VALUE):
                tries.setdefault(check.name, check.outcome is Outcome.PASSED)
        self._write(pages)
        return {name: right is True for name, right in tries.items()}

    def judge(self, exercise: str, question: str, ticks: list[bool]) -> None:
        """Note how a learner judged an answer in words, a tick for each line of its rubric."""
        pages = self._read()
        pages.setdefault("own_judgement", {}).setdefault(exercise, {})[question] = ticks
        self._write(pages)

    def _read(self) -> dict[str, Any]:
        try:
            pages = json.loads((self.folder / NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        parts = isinstance(pages, dict) and [
            value for page in pages.values() for value in [page, *_values(page)]
        ]
        return pages if parts and all(isinstance(part, dict) for part in parts) else {}

    def _write(self, pages: dict[str, Any]) -> None:
        write_text(self.folder / NAME, json.dumps(pages, indent=2) + "\n")


def _values(page: Any) -> list[Any]:
    return list(page.values()) if isinstance(page, dict) else [page]
