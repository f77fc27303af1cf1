"""Drive the real nbgrader: a course folder, an exchange, students with folders of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
# Several commands in one process: what nbgrader imports costs more than what it does.
COMMANDS = """
import json, os, sys
from jupyter_core.application import NoStart
from nbgrader.apps.nbgraderapp import NbGraderApp
for folder, words in json.loads(sys.stdin.read()):
    os.chdir(folder)
    print("$ nbgrader", *words, flush=True)
    app = NbGraderApp.instance()
    try:
        app.initialize(words)
        app.start()
    except NoStart:
        pass
    except SystemExit as end:
        if end.code:
            print("exit", end.code)
            sys.exit(end.code)
    finally:
        for kind in (type(app), type(app.subapp)):
            if hasattr(kind, "clear_instance"):
                kind.clear_instance()
"""


def nbgrader(*commands: tuple[Path, str], home: Path) -> str:
    """Run nbgrader commands, each in a folder, one after the other; what they said. Fails when one fails."""
    done = try_nbgrader(*commands, home=home)
    assert done.returncode == 0, done.stdout
    return done.stdout


def try_nbgrader(*commands: tuple[Path, str], home: Path) -> subprocess.CompletedProcess[str]:
    """The same; it may fail."""
    return subprocess.run(
        [sys.executable, "-c", COMMANDS],
        input=json.dumps([[str(folder), words.split()] for folder, words in commands]),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "HOME": str(home), "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
    )


@dataclass(frozen=True)
class Classroom:
    """An instructor's course folder, an exchange, and students."""

    root: Path

    @property
    def folder(self) -> Path:
        """nbgrader's course folder."""
        return self.root / "course"

    def home(self, student: str) -> Path:
        """A student's folder, with the student's own configuration."""
        folder = self.root / "students" / student
        if not folder.exists():
            folder.mkdir(parents=True)
            lines = [
                "c = get_config()",
                f"c.CourseDirectory.course_id = {self.course_id!r}",
                f"c.CourseDirectory.student_id = {student!r}",
                *self._exchange(folder),
            ]
            (folder / "nbgrader_config.py").write_text("\n".join(lines) + "\n")
        return folder

    @property
    def course_id(self) -> str:
        text = (self.folder / "nbgrader_config.py").read_text()
        return text.split("course_id = '")[1].split("'")[0]

    def _exchange(self, folder: Path) -> list[str]:
        exchange = self.root / "exchange"
        exchange.mkdir(exist_ok=True)
        exchange.chmod(0o777)
        return [f"c.Exchange.root = {str(exchange)!r}", f"c.Exchange.cache = {str(folder / 'cache')!r}"]

    def build(self, course: Path, *words: str) -> str:
        """``softmarks nbgrader build``; what it said."""
        command = [BIN / "softmarks", "nbgrader", "build", self.folder, "--course", course, *words]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment())
        assert done.returncode == 0, done.stderr
        config = self.folder / "nbgrader_config.py"
        if "Exchange.root" not in config.read_text():
            with config.open("a") as file:
                file.write("\n".join(self._exchange(self.folder)) + "\n")
        return done.stdout

    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.root)}

    def run(self, *commands: str) -> str:
        """The instructor's nbgrader commands."""
        return nbgrader(*[(self.folder, words) for words in commands], home=self.root)

    def hand_in(self, student: str, assignment: str, notebook: str, data: bytes | dict[str, Any]) -> Path:
        """Put a notebook where nbgrader collects work, without the exchange."""
        folder = self.folder / "submitted" / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / notebook
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data, indent=1).encode())
        return path

    def given(self, assignment: str, exercise: str) -> dict[str, Any]:
        """The notebook that students are given."""
        return json.loads((self.folder / "release" / assignment / f"{exercise}.ipynb").read_text())


def solved(notebook: dict[str, Any], source: str) -> dict[str, Any]:
    """A notebook whose solution cells hold the parts of a program: each takes what defines its name."""
    import jupytext

    parts = [
        cell.source for cell in jupytext.reads(source, fmt="py:percent").cells if cell.cell_type == "code"
    ]
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code":
            name = cell["id"].partition("-")[2]
            cell["source"] = next(part for part in parts if defines(part, name))
    return notebook


def defines(part: str, name: str) -> bool:
    return any(
        line.startswith((f"def {name}(", f"class {name}(", f"class {name}:")) for line in part.split("\n")
    )


def change(notebook: dict[str, Any], name: str, how: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Change the cell called ``name``."""
    for cell in notebook["cells"]:
        if cell.get("id") == name:
            how(cell)
    return notebook


def names(notebook: dict[str, Any]) -> Sequence[str]:
    """The names of a notebook's cells."""
    return [cell["id"] for cell in notebook["cells"]]
