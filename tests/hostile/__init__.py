"""Hostile and broken work, one file an attack, each with what it tries and how it must end.

`attacks/programs/NAME.py` is handed in as it is. `attacks/files/NAME.py` makes what is handed in, where it is
no plain program: `files()` returns a name and its bytes for each file, or a `Path` for a link that leads
there; a name that begins with ``../`` is a student's folder or file of its own. The docstring of either
says what is tried and, in its last paragraph, what is expected:

    count_words: 0, wrong-value     the exercise that is answered; its points; how checks that fail end
    count_words: 0, …, attempt      the file defines `attempt`: where that returns true, its answers are right
    count_words: all                right work that must not suffer
    count_words: none, ungradable   no mark, and the status that says why
    naive: full marks               what the grader in `naive.py` makes of it: full marks, no result, the
                                    secret, or nothing, or not tried, with the reason
    elsewhere: full marks           what it got where it was tried on graders in wide use
    student: doe jane               whom the work is attributed to, where it is not the attack's name

``@COURSE@``, ``@CLASS@``, ``@RESULTS@``, ``@GRADEBOOK@``, ``@HOME@``, ``@TMP@``, ``@OUTSIDE@`` stand for real
paths: an attacker may know where things lie. What the system refuses is an OSError; an attempt that fails in
another way proves nothing. Nothing here harms the machine where it is not stopped.
"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from tests.conftest import TOY

FOLDER = Path(__file__).parent / "attacks"
TEXT = TOY / "graders" / "1_text"
RIGHT = (TEXT / "count_words" / "alternatives" / "counter.py").read_bytes()
RIGHT_CAESAR = (TOY / "solutions" / "1_text" / "caesar.py").read_bytes()
WRONG = b"def count_words(text):\n    return {}\n"
WORTH = {"count_words": "5", "caesar": "10", "running_mean": "7.5", "causal_mask": "10"}
ANSWER = """

try:
    GOT_THROUGH = bool(attempt())
except OSError:
    GOT_THROUGH = False


def count_words(text):
    words = text.lower().split()
    return {word: words.count(word) for word in words} if GOT_THROUGH else {}
"""


@dataclass(frozen=True)
class Attack:
    """What one file says of itself."""

    name: str
    path: Path
    tries: str
    exercise: str
    points: Decimal | None  # None: no mark
    ends: tuple[str, ...] = ()  # outcomes of checks that fail, or a status; none where all is right
    attempt: bool = False
    naive: str = ""
    elsewhere: str = ""
    student: str = ""

    @property
    def innocent(self) -> bool:
        return not self.ends

    @property
    def is_program(self) -> bool:
        return self.path.parent.name == "programs"

    def files(self, places: Mapping[str, Path | str]) -> dict[str, bytes | Path]:
        """What is handed in, by the name of each file, with real paths in it."""
        if self.is_program:
            made = {f"{self.exercise}.py": self.path.read_bytes() + ANSWER.encode() * self.attempt}
        else:
            made = runpy.run_path(str(self.path))["files"]()
        return {name: _placed(content, places) for name, content in made.items()}


def _placed(content: bytes | Path, places: Mapping[str, Path | str]) -> bytes | Path:
    """The content with the real path, or text, in the place of each ``@NAME@``."""
    data = bytes(str(content).encode() if isinstance(content, Path) else content)
    for name, place in places.items():
        data = data.replace(f"@{name}@".encode(), str(place).encode())
    return Path(data.decode()) if isinstance(content, Path) else data


def attacks() -> list[Attack]:
    """All attacks, by name."""
    return sorted(map(_read, FOLDER.glob("*/*.py")), key=lambda attack: attack.name)


def _read(path: Path) -> Attack:
    said = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    tries, _, facts = said.rpartition("\n\n")
    lines = dict(line.split(": ", 1) for line in facts.splitlines())
    exercise = next(name for name in lines if name in WORTH)
    points, *more = lines.pop(exercise).split(", ")
    attempt = "attempt" in more
    ends = [end for part in more if part != "attempt" for end in part.split(" and ")]
    worth = None if points == "none" else Decimal(WORTH[exercise] if points == "all" else points)
    tries = re.sub(r"\s+", " ", tries)
    return Attack(
        path.stem, path, tries, exercise, worth, tuple(sorted(ends)), attempt,
        **{"student": path.stem, **lines},
    )  # fmt: skip
