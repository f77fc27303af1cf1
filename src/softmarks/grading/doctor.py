"""What is there for Softmarks on this machine, or in a file, what is missing, and what to do about it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from softmarks import __version__
from softmarks.course.course import Course, load_course
from softmarks.course.edition import read_edition
from softmarks.course.finding import find_course
from softmarks.course.working_copy import working_copy
from softmarks.errors import SoftmarksError
from softmarks.grading.workers import Worker
from softmarks.sandbox.installed import version_of
from softmarks.submission.collecting import read_submission
from softmarks.submission.notebooks import writes
from softmarks.submission.reading import Source
from softmarks.submission.syntax import fault, in_words

OLDEST_PYTHON = (3, 11)
DEVICE = """
import torch
found = [f"{torch.cuda.device_count()} CUDA"] if torch.cuda.is_available() else []
found += ["Apple's GPU"] if torch.backends.mps.is_available() else []
print(", ".join(found))
"""
EXTRAS = (
    ("matplotlib", "pictures", "pictures are drawn in the terminal alone", "softmarks[instructor]"),
    ("ipykernel", "notebooks", "no notebook here; terminals and .py files work", "jupyterlab"),
)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: how it is, and what to do where something is missing."""

    how: Literal["good", "caution", "bad"]
    what: str
    says: str
    fix: str = ""


def examine(here: Path, course_name: str | None) -> Iterator[Finding]:
    """What a person needs on this machine, one after the other."""
    python = ".".join(map(str, sys.version_info[:3]))
    fine = sys.version_info >= OLDEST_PYTHON
    yield Finding("good" if fine else "bad", "Python", python, "" if fine else "Use Python 3.11 or newer")
    yield Finding("good", "softmarks", __version__)
    try:
        root = find_course(here, course_name)
        course = load_course(root)
    except SoftmarksError as error:
        yield _failure("course", error)
        return
    edition = "student edition" if read_edition(root) else "self-study"
    yield Finding("good", "course", f"{course.id} {course.version}, {edition}, in {root}")
    copy = working_copy(here)
    if copy:
        yield Finding("good", "your work", str(copy.folder))
    elif not read_edition(root):
        yield Finding("caution", "your work", "this is no working copy", "Make one: softmarks start DIR")
    missing = [package for package in course.packages if importlib.util.find_spec(package) is None]
    yield from (_package(package, missing) for package in course.packages)
    if not missing:
        yield from _device(course)
        yield _checks(root)
    for package, what, without, install in EXTRAS:
        there = importlib.util.find_spec(package) is not None
        says = _version(package) if there else without
        yield Finding("good" if there else "caution", what, says, "" if there else f"pip install '{install}'")


def _failure(what: str, error: SoftmarksError) -> Finding:
    where = f"{error.where}: " if error.where else ""
    return Finding("bad", what, f"{where}{error.what}", error.fix or "")


def _package(package: str, missing: list[str]) -> Finding:
    if package in missing:
        return Finding("bad", package, "not installed", f"pip install {package}")
    return Finding("good", package, _version(package))


def _version(package: str) -> str:
    return f"{package} {version_of(package) or 'of no known version'}"


def _device(course: Course) -> Iterator[Finding]:
    """Which devices torch has, asked in a process of its own: a broken torch must not end this one."""
    if "torch" not in course.packages:
        return
    done = subprocess.run([sys.executable, "-P", "-c", DEVICE], capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
        yield Finding("bad", "device", f"torch cannot be used: {words}", "Install torch again")
    else:
        found = done.stdout.strip()
        yield Finding("good", "device", f"CPU, {found}" if found else "CPU; nothing here needs a GPU")


def _checks(root: Path) -> Finding:
    """Whether checks start, and which wall they have."""
    try:
        with Worker(root, "optional") as worker:
            worker.wait()
            ready = worker.ready or {}
    except SoftmarksError as error:
        return _failure("checks", error)
    if ready["confined"]:
        return Finding("good", "wall", f"your program runs confined: {ready['rung']}")
    says = f"your program runs as it is, unconfined: {ready['why']}"
    return Finding(
        "caution", "wall", says, "Fine for your own work; a class is graded on Linux 5.13 or newer"
    )


def examine_file(path: Path, course: Course) -> Iterator[Finding]:
    """What a file, a folder or a ZIP holds, as it would be read when it is handed in."""
    submission = read_submission(path, course)
    for repair in submission.repairs:
        yield Finding("caution", "repaired", repair)
    if submission.unreadable:
        yield Finding("bad", "unreadable", submission.unreadable, "Save or download it again")
    for name in submission.unplaced:
        yield Finding("caution", name, "belongs to no exercise", "Name it after its exercise")
    for name, source in submission.sources.items():
        yield from _source(source, course.exercise(name).answers)


def _source(source: Source, answers: tuple[str, ...]) -> Iterator[Finding]:
    name = source.exercise
    if source.unreadable:
        yield Finding("bad", name, source.unreadable, "Save or download it again")
        return
    cells = len(source.cells)
    form = f"{cells} code cells" if source.handed else "a program"
    yield Finding("good", name, f"{source.filename}: {form}, {len(source.text.splitlines())} lines")
    for repair in source.repairs:
        yield Finding("caution", name, f"repaired: {repair}")
    for number, cell in enumerate(source.cells, 1):
        error = fault(cell)
        if error:
            where = f"cell {number}: " if source.handed else ""
            yield Finding("bad", name, f"{where}Python cannot read it: {in_words(error)}", "Repair that line")
    lacking = [answer for answer in answers if not writes(source.text, answer)]
    if lacking:
        yield Finding("bad", name, f"it does not define {', '.join(lacking)}", "Keep the names of the stub")
