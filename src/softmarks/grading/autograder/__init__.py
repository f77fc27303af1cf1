"""The autograder that Gradescope takes: the engine, a course with its hidden suites, and two scripts.

Gradescope builds an image once (`setup.sh`) and starts a container of it for each submission
(`run_autograder`). What is in it is for instructors alone: no leak is searched for, because all of it is one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template

from softmarks.course import edition as editions
from softmarks.course.course import Course, load_course
from softmarks.course.rooms import rooms
from softmarks.course.text import read_text
from softmarks.errors import CourseError
from softmarks.grading.autograder.pins import pins
from softmarks.grading.handout.wheel import engine_wheel

HERE = Path(__file__).parent
COURSE = "course"  # the folder in the ZIP that holds it
TREES = ("exercises", "solutions", "graders")


def autograder(course: Course, root: Path) -> dict[str, bytes]:
    """All files of the ZIP, by their paths, for the part of the course in ``root`` that is graded.

    Raises CourseError where a hidden suite is missing, and UsageError where a package of the course is not
    installed: students' programs are to run with the versions that are here now.
    """
    for place in rooms(course, root):
        if not place.hidden.is_file() and not place.sheet.is_file():
            what = f"{place.exercise.name} has no hidden suite here"
            raise CourseError(what, where=place.hidden, fix="Release from the whole course, not an edition")
    wheel, data = engine_wheel()
    wanted, constraints = pins(course.packages)
    words = {
        "title": course.title,
        "assignments": ", ".join(one.name for one in course.assignments),
        "points": f"{sum(one.points for one in course.exercises):.2f}",
    }
    scripts = {name: (HERE / name).read_bytes() for name in ("setup.sh", "run_autograder")}
    texts = {
        "README.md": Template(read_text(HERE / "README.md")).substitute(words),
        "python-version.txt": f"{sys.version_info.major}.{sys.version_info.minor}\n",
        "requirements.txt": wanted,
        "constraints.txt": constraints,
    }
    packed = {f"{COURSE}/{path}": content for path, content in _course(course, root)}
    return scripts | {name: text.encode() for name, text in texts.items()} | {wheel: data} | packed


def _course(course: Course, root: Path) -> Iterator[tuple[str, bytes]]:
    """Each file of the course and what stands in it, but for other assignments."""
    yield "course.yml", (root / "course.yml").read_bytes()
    names = [exercise.name for exercise in course.exercises]
    yield editions.NAME, editions.edition_text(names, {}).encode()
    kept = {one.name for one in course.assignments}
    others = {one.name for one in load_course(root).assignments} - kept
    for tree in TREES:
        for path in sorted((root / tree).rglob("*")):
            parts = path.relative_to(root).parts
            made = any(part.startswith((".", "__pycache__")) for part in parts)
            if path.is_file() and not made and parts[1] not in others:
                yield "/".join(parts), path.read_bytes()
