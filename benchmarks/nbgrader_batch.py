"""What it costs to autograde a class in nbgrader: its own executor beside Softmarks, on the same notebooks.

Both run `nbgrader autograde` on the same submissions, start-up included. nbgrader's executor runs every cell
in a kernel a notebook, and in the locked cells nothing is checked (they fail at once); Softmarks runs the
hidden suites, confined. Prints CPU seconds and wall seconds, all processes counted, measured in one run on
one machine. Linux alone: a subreaper collects what orphans have used.

    python benchmarks/nbgrader_batch.py [STUDENTS]
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import jupytext
import psutil

from softmarks.course.course import load_course
from softmarks.course.rooms import Room, rooms
from softmarks.course.sheets import letters, read_sheet, right_answers

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
ASSIGNMENT = "2_simplified"
STUDENTS = 30
PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Measure both and print a table."""
    students = int(sys.argv[1]) if len(sys.argv) > 1 else STUDENTS
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "course"
        run(
            [BIN / "softmarks", "nbgrader", "build", folder, "--assignment", ASSIGNMENT, "--course", ROOT],
            ROOT,
        )
        run(["nbgrader", "generate_assignment", ASSIGNMENT], folder)
        notebooks = hand_in(folder, students)
        stock = Path(made) / "stock"
        shutil.copytree(folder, stock)
        (stock / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'stock'\n")
        run(
            ["nbgrader", "autograde", ASSIGNMENT, "--student", "student_01"], folder
        )  # makes the table of mistakes
        shutil.rmtree(folder / "autograded")
        ours = measured(lambda: run(["nbgrader", "autograde", ASSIGNMENT], folder))
        theirs = measured(lambda: run(["nbgrader", "autograde", ASSIGNMENT], stock))
    print(f"nbgrader autograde, {students} students, {notebooks} notebooks each; all processes, start-up too")
    print("                                      CPU s   wall s")
    print(f"  nbgrader's executor, no sandbox   {theirs[0]:7.1f}  {theirs[1]:7.1f}")
    print(f"  Softmarks, confined               {ours[0]:7.1f}  {ours[1]:7.1f}")
    print(f"  ratio                             {theirs[0] / ours[0]:7.1f}  {theirs[1] / ours[1]:7.1f}")


def hand_in(folder: Path, students: int) -> int:
    """Submit everybody's notebooks: every second one is right, the others have a mistake each. How many."""
    places = [place for place in rooms(load_course(ROOT), ROOT) if place.exercise.assignment == ASSIGNMENT]
    for place in places:
        given = json.loads((folder / "release" / ASSIGNMENT / f"{place.exercise.name}.ipynb").read_text())
        wrong = cycle(() if place.is_sheet else place.misconceptions())
        for number in range(students):
            right = place.is_sheet or number % 2 == 0
            program = answers(place) if right else next(wrong).apply(place.reference())
            target = folder / "submitted" / f"student_{number:02}" / ASSIGNMENT
            target.mkdir(parents=True, exist_ok=True)
            (target / f"{place.exercise.name}.ipynb").write_text(json.dumps(filled(given, program)))
    return len(places)


def answers(place: Room) -> str:
    """A right submission."""
    return letters(right_answers(read_sheet(place.sheet))) if place.is_sheet else place.reference()


def filled(given: dict, program: str) -> dict:
    """The notebook with a program's definitions in its solution cells: all in the first, for what counts."""
    notebook = json.loads(json.dumps(given))
    parts = [
        cell.source for cell in jupytext.reads(program, fmt="py:percent").cells if cell.cell_type == "code"
    ]
    own = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    for cell in own:
        cell["source"] = ""
    own[0]["source"] = "\n\n\n".join(parts)
    return notebook


def run(command: list[object], folder: Path) -> None:
    """Run one command, in words that are only seen when it fails."""
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds and wall seconds of the commands that are run, and of everything that they start.

    This process must be a subreaper: so it waits for orphans too. Children that are there already are left.
    """
    there = set(psutil.Process().children())
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    wall = time.monotonic() - begun
    while begun_since := set(psutil.Process().children()) - there:
        for orphan in begun_since:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(orphan.pid, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


if __name__ == "__main__":
    main()
