"""What a second worker brings, and what it costs to grade an unchanged class again: ratios in one run.

A class of correct submissions of all programs, with one worker, with two, and a second time without a change.

    python benchmarks/class_run.py [STUDENTS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from softmarks.course.course import load_course
from softmarks.course.rooms import rooms

ROOT = Path(__file__).resolve().parent.parent
STUDENTS = 24


def main() -> None:
    """Measure and print a table."""
    students = int(sys.argv[1]) if len(sys.argv) > 1 else STUDENTS
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "work")
        write(work, students)
        one = seconds(work, Path(folder, "one"), 1)
        two = seconds(work, Path(folder, "two"), 2)
        again = seconds(work, Path(folder, "two"), 2)
    print(f"{students} submissions of all programs; seconds from the command to its end")
    print(f"  one worker                {one:7.1f}")
    print(f"  two workers               {two:7.1f}   {one / two:.2f} times the work in the same time")
    print(f"  two workers, once more    {again:7.1f}   1/{two / again:.0f} of the first run, nothing changed")


def write(work: Path, students: int) -> None:
    """Every student hands in every reference solution, each a little different."""
    for place in rooms(load_course(ROOT), ROOT):
        if place.is_sheet:
            continue
        reference = place.reference()
        for number in range(students):
            file = work / f"student_{number:03}" / f"{place.address}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{reference}\n# {number}\n", encoding="utf-8")


def seconds(work: Path, results: Path, workers: int, *more: str) -> float:
    """How long `softmarks grade` takes, with ``more`` options."""
    softmarks = Path(sys.executable).with_name("softmarks")
    began = time.monotonic()
    subprocess.run(
        [softmarks, "grade", work, "-o", results, "--course", ROOT, "--workers", str(workers), *more],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return time.monotonic() - began


if __name__ == "__main__":
    main()
