"""What a student edition has beside the course: how to begin, settings of editors, and the engine."""

from __future__ import annotations

from pathlib import Path
from string import Template

from softmarks.course.course import Course
from softmarks.grading.autograder.pins import to_install
from softmarks.grading.handout.wheel import engine_wheel

HERE = Path(__file__).parent
PLACES = {
    "README.md": "README.md",
    "pytest.ini": "pytest.ini",
    "vscode.json": ".vscode/settings.json",
    "github.yml": ".github/workflows/softmarks.yml",
    "ignored": ".gitignore",
}


def handout(course: Course, suffix: str) -> dict[str, bytes]:
    """These files, by their paths."""
    wheel, data = engine_wheel()
    distributions = [name for package in course.packages for name in to_install(package)]
    words = {
        "title": course.title,
        "wheel": wheel,
        "packages": "".join(f"{name} " for name in distributions),
        "suffix": suffix,
        "exercise": course.exercises[0].name,
        "assignment": course.assignments[0].name,
    }
    texts = {place: (HERE / name).read_text(encoding="utf-8") for name, place in PLACES.items()}
    return {place: Template(text).substitute(words).encode() for place, text in texts.items()} | {wheel: data}
