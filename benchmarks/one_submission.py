"""The submission that is measured: every program of the course without a mistake, and plain pytest on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil

from softmarks.course.course import Course, load_course
from softmarks.course.rooms import Room, rooms

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = "softmarks.grading.plugin"


def programs(course: Course) -> list[Room]:
    """The rooms whose answers are programs, not letters."""
    return [place for place in rooms(course, ROOT) if not place.is_sheet]


def used(pid: int) -> float:
    """CPU seconds of a process, of those that it has started, and of all of these that have ended."""
    first = psutil.Process(pid)
    total = 0.0
    for process in [first, *first.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


def plain_copy(copy: Path, answers: dict[str, str]) -> Path:
    """A folder for plain pytest: the suites, what is given to students, and the answers."""
    shutil.copytree(ROOT / "graders", copy / "graders")
    shutil.copy(ROOT / "course.yml", copy)
    (copy / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n")
    for place in programs(load_course(ROOT)):
        file = copy / "exercises" / f"{place.address}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        if place.building_blocks:
            shutil.copy(place.building_blocks, file.parent)
        if place.exercise.name in answers:
            file.write_text(answers[place.exercise.name])
    return copy


def run_cold(copy: Path, answers: dict[str, str]) -> None:
    """Run plain pytest on the suite of each answer, in a process of its own, without plugins but ours."""
    around = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # as in a worker
    around |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    for place in programs(load_course(ROOT)):
        if place.exercise.name not in answers:
            continue
        suite = copy / "graders" / place.address / "test_hidden.py"
        command = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider"]
        done = subprocess.run([*command, suite], cwd=copy, env=around, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{place.address}: plain pytest fails\n{done.stdout[-2000:]}")
