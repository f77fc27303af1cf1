"""What one submission costs: a warm worker beside a cold pytest process an exercise, on the same checks.

Prints CPU seconds, all processes counted, and their ratio, measured in one run on one machine.

    python benchmarks/submission.py
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

from softmarks.course.course import Course, load_course
from softmarks.course.rooms import Room, rooms
from softmarks.grading.workers import Worker

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5


def main() -> None:
    """Measure both and print a table."""
    course = load_course(ROOT)
    answers = {place.exercise.name: place.reference() for place in programs(course)}
    warm, checks = warm_seconds(answers)
    cold = cold_seconds(answers)
    print(f"one submission of {len(answers)} exercises, {checks} checks; CPU seconds, all processes")
    print(f"  a cold pytest process an exercise, no sandbox   {cold:7.2f}")
    print(f"  a warm worker, a confined host an exercise      {warm:7.2f}   (mean of {REPEATS})")
    print(f"  ratio                                           {cold / warm:7.1f}")


def programs(course: Course) -> list[Room]:
    """The rooms whose answers are programs, not letters."""
    return [place for place in rooms(course, ROOT) if not place.is_sheet]


def warm_seconds(answers: dict[str, str]) -> tuple[float, int]:
    """CPU seconds of one submission in a worker that is ready, hosts included, and its number of checks."""
    with Worker(ROOT, "required") as worker:
        verdicts = [worker.mark(name, [source]) for name, source in answers.items()]
        for verdict in verdicts:
            if not verdict.full_marks:
                raise SystemExit(f"{verdict.exercise}: the reference does not pass; nothing was measured")
        before = used(worker.process.pid)
        for _ in range(REPEATS):
            for name, source in answers.items():
                worker.mark(name, [source])
        spent = used(worker.process.pid) - before
    return spent / REPEATS, sum(len(verdict.checks) for verdict in verdicts)


def used(pid: int) -> float:
    """CPU seconds of a worker, its warm process, and all hosts that have ended."""
    worker = psutil.Process(pid)
    total = 0.0
    for process in [worker, *worker.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


def cold_seconds(answers: dict[str, str]) -> float:
    """CPU seconds of plain pytest on the same suites, a process an exercise."""
    with tempfile.TemporaryDirectory() as folder:
        copy = plain_copy(Path(folder), answers)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run_cold(copy, answers)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
    """Run plain pytest on the suite of each answer, in a process of its own."""
    for place in programs(load_course(ROOT)):
        if place.exercise.name not in answers:
            continue
        suite = copy / "graders" / place.address / "test_hidden.py"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
        one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # as in a worker
        done = subprocess.run([*command, suite], cwd=copy, env=one_thread, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{place.address}: plain pytest fails\n{done.stdout[-2000:]}")


if __name__ == "__main__":
    main()
