"""nbgrader and otter-grader as they come: an environment of their own, a course as their manuals describe it.

A check is a piece of code that raises where an answer is wrong; both graders take the same ones, each worth
a point, and hidden from students. Nothing of Softmarks takes part in their grading.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
PINS = Path(__file__).with_name("peers.txt")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "softmarks" / "peers"
ASSIGNMENT = "work"
PYTHON = {"name": "python3", "language": "python", "display_name": "Python 3"}
SILENCE = 180  # seconds without a word after which a run is taken to hang
PATIENCE = 90  # seconds for one submission


@dataclass(frozen=True)
class Exercise:
    """What is asked for, by name, and the checks that use these names."""

    answers: Sequence[str]
    checks: Sequence[str]


def environment() -> Path:
    """The folder of programs of an environment that holds what peers.txt names; made once."""
    constraints = ROOT / "constraints.txt"
    wanted = hashlib.sha256(PINS.read_bytes() + constraints.read_bytes()).hexdigest()[:12]
    folder = CACHE / wanted
    if not (folder / "ready").exists():
        print(f"Installing the other graders into {folder} (a few minutes, the first time)")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", constraints, "--requirement", PINS], check=True)
        (folder / "ready").touch()
    return folder / "bin"


def versions(programs: Path) -> dict[str, str]:
    """What is installed there, by name."""
    command = [programs / "python", "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {one["name"]: one["version"] for one in listed}


def surroundings(programs: Path, scratch: Path) -> dict[str, str]:
    """The environment variables of a run there: its own home and temporary folder, and nothing of ours."""
    for name in ("home", "tmp"):
        (scratch / name).mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
    }


def notebook(cells: Sequence[nbformat.NotebookNode]) -> nbformat.NotebookNode:
    """A notebook of these cells."""
    return new_notebook(cells=list(cells), metadata={"kernelspec": PYTHON})


@dataclass(frozen=True)
class Nbgrader:
    """A course folder of nbgrader, with one assignment and a notebook an exercise."""

    folder: Path
    surroundings: Mapping[str, str]

    def build(self, exercises: Mapping[str, Exercise], seconds: int) -> None:
        """Write the notebooks with their hidden checks, and give them out; a cell may run for so long."""
        self.folder.mkdir()
        (self.folder / "nbgrader_config.py").write_text(
            "c = get_config()\n"
            "c.CourseDirectory.course_id = 'peers'\n"
            f"c.Execute.timeout = {seconds}\n"
            "c.CourseDirectory.db_url = 'sqlite:///gradebook.db'\n"
        )
        source = self.folder / "source" / ASSIGNMENT
        source.mkdir(parents=True)
        for name, exercise in exercises.items():
            answer = "### BEGIN SOLUTION\nanswer = None\n### END SOLUTION"
            cells = [_cell("answer", answer, solution=True)]
            for number, check in enumerate(exercise.checks, start=1):
                hidden = f"### BEGIN HIDDEN TESTS\n{check}\n### END HIDDEN TESTS"
                cells.append(_cell(f"check_{number}", hidden, points=1))
            nbformat.write(notebook(cells), source / f"{name}.ipynb")
        self.run("generate_assignment", ASSIGNMENT)

    def hand_in(self, student: str, exercise: str, program: str) -> None:
        """Put a program into the solution cell of the notebook that was given out."""
        given = nbformat.read(self.folder / "release" / ASSIGNMENT / f"{exercise}.ipynb", as_version=4)
        given.cells[0].source = program
        place = self.folder / "submitted" / student / ASSIGNMENT / f"{exercise}.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(given, place)

    def autograde(self) -> list[str]:
        """Grade everybody in one run; again without whoever was being graded when a run came to its end.

        Those students are returned: nobody after them would have been graded.
        """
        ended = []
        while True:
            said = self._autograde()
            begun = re.findall(rf"submitted/(\w+)/{ASSIGNMENT}/\w+\.ipynb", said)
            failed = set(re.findall(r"for student '(\w+)'$", said, re.M))
            left = _names(self.folder / "submitted") - self._graded() - failed
            if not left:
                return ended
            ended.append(begun[-1])
            for student in (ended[-1], *failed):
                submitted = self.folder / "submitted" / student
                submitted.rename(self.folder / f"taken away, {len(ended)}, {student}")

    def _graded(self) -> set[str]:
        done = self.folder / "autograded"
        return _names(done) if done.is_dir() else set()

    def _autograde(self) -> str:
        """What one run says. It is ended when it has said nothing for a long time."""
        command = ["nbgrader", "autograde", ASSIGNMENT]
        log = self.folder / "autograde.log"
        with log.open("w") as said:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.surroundings, stdin=subprocess.DEVNULL,
                stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            while process.poll() is None:
                time.sleep(0.2)
                if time.time() - log.stat().st_mtime > SILENCE:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        return log.read_text(errors="replace")

    def scores(self) -> dict[str, float]:
        """Each student's points, of those who have a result."""
        self.run("export", "--to", "grades.csv")
        with (self.folder / "grades.csv").open(newline="") as sheet:
            rows = [row for row in csv.DictReader(sheet) if row["student_id"] in self._graded()]
        return {row["student_id"]: float(row["score"]) for row in rows}

    def run(self, *words: str) -> None:
        """Run a command of nbgrader that must succeed."""
        command = ["nbgrader", *words]
        done = subprocess.run(command, cwd=self.folder, env=self.surroundings, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed\n{done.stderr[-2000:]}")


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _cell(name: str, source: str, *, solution: bool = False, points: int = 0) -> nbformat.NotebookNode:
    facts = {
        "grade": bool(points), "grade_id": name, "locked": not solution, "schema_version": 3,
        "solution": solution, "task": False, **({"points": points} if points else {}),
    }  # fmt: skip
    return new_code_cell(source, metadata={"nbgrader": facts})


@dataclass(frozen=True)
class Otter:
    """An autograder of otter-grader for one exercise, run as `otter run` does: without a container."""

    folder: Path
    surroundings: Mapping[str, str]

    @property
    def archive(self) -> Path:
        return self.folder / "autograder.zip"

    def build(self, exercises: Mapping[str, Exercise]) -> None:
        """Write a test file an exercise and make the autograder of them."""
        (self.folder / "tests").mkdir(parents=True)
        for name, exercise in exercises.items():
            lines = ["from otter.test_files import test_case", "OK_FORMAT = False", f"name = {name!r}"]
            for number, check in enumerate(exercise.checks, start=1):
                lines += ["@test_case(points=1, hidden=True)"]
                lines += [f"def test_{number}({', '.join(exercise.answers)}):", indent(check, "    ")]
            (self.folder / "tests" / f"{name}.py").write_text("\n".join([*lines, ""]))
        command = ["otter", "generate", "-t", "tests", "-o", self.archive]
        subprocess.run(
            [*command, "--no-config", "--no-requirements", "--no-environment"],
            cwd=self.folder, env=self.surroundings, check=True, capture_output=True,
        )  # fmt: skip

    def hand_in(self, student: str, programs: Sequence[str]) -> Path:
        """A notebook with a cell a program."""
        place = self.folder / student / "work.ipynb"
        place.parent.mkdir()
        nbformat.write(notebook([new_code_cell(program) for program in programs]), place)
        return place

    def command(self, submission: Path) -> list[object]:
        """What grades one submission; results.json comes to lie beside it."""
        return ["otter", "run", "--no-logo", "-a", self.archive, "-o", submission.parent, submission]

    def score(self, submission: Path) -> float | str | None:
        """Grade it: its points; None where there is no result; `hangs` where it was ended from outside."""
        process = subprocess.Popen(
            self.command(submission), cwd=submission.parent, env=self.surroundings,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "hangs"
        return self.points(submission)

    def points(self, submission: Path) -> float | None:
        """The points in its results.json; None where there are none, or otter says that it failed."""
        try:
            tests = json.loads((submission.parent / "results.json").read_text())["tests"]
            return sum(test["score"] for test in tests if "max_score" in test) if _graded(tests) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _graded(tests: Sequence[Mapping[str, object]]) -> bool:
    return any("max_score" in test for test in tests)
