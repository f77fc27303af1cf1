"""Begin a new exercise, or a new course: files that work as they are, for an author to replace.

The templates are a small whole exercise, so that a fresh room passes its audit before a word is changed.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from softmarks.course.course import Course, load_course
from softmarks.course.located import Document, read_document
from softmarks.course.rooms import Room
from softmarks.course.text import read_text, write_text
from softmarks.errors import CourseError, UsageError

_ADDRESS = re.compile(
    r"(?P<assignment>[a-z0-9]+(?:_[a-z0-9]+)*)/(?P<exercise>[a-z]+[a-z0-9]*(?:_[a-z0-9]+)*)"
)
_FIRST = "1_first/sum_of_squares"


def new_course(folder: Path) -> list[Path]:
    """Write a course with one exercise into a folder that is empty or not there yet; the files written."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("there is something already", where=folder, fix="Name a new folder")
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-") or "course"
    words = {"ID": name, "TITLE": name.replace("-", " ").capitalize(), "ASSIGNMENT": _FIRST.split("/")[0]}
    text = _filled(_templates() / "course.yml", words)
    entry = _entry("sum_of_squares", "first-outcome", indent=6)
    written = [_write(folder / "course.yml", text + entry)]
    return written + _room(load_course(folder), folder, "sum_of_squares")


def new_exercise(root: Path, course: Course, address: str) -> list[Path]:
    """Add the exercise ``assignment/exercise`` to a course; the files written, course.yml first.

    Raises UsageError for an address that is none, or is taken.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise UsageError(
            f'"{address}" is no place for an exercise',
            fix="Write assignment/exercise, such as 2_loops/fold_list",
        )
    assignment, name = match["assignment"], match["exercise"]
    if any(exercise.name == name for exercise in course.exercises):
        raise UsageError(f"there is an exercise {name} already", fix="Choose another name")
    path = root / "course.yml"
    before = read_text(path)
    _write(path, _with_entry(read_document(path), before, course, assignment, name))
    try:
        changed = load_course(root)
        return [path, *_room(changed, root, name)]
    except CourseError:
        _write(path, before)
        raise


def _with_entry(document: Document, text: str, course: Course, assignment: str, name: str) -> str:
    """The text of course.yml with one exercise more, at the end of its assignment."""
    listed = _value(document.node, "assignments")
    outcome = course.outcomes[0].id
    for node in listed.value:
        if _value(node, "name").value == assignment:
            exercises = _value(node, "exercises")
            if exercises.flow_style:
                break
            last = exercises.value[-1]
            column = exercises.start_mark.column
            return _inserted(text, last.end_mark, _entry(name, outcome, column))
    else:
        if not listed.flow_style:
            column = listed.start_mark.column
            head = f"{' ' * column}- name: {assignment}\n{' ' * column}  title: {_words(assignment)}\n"
            head += f"{' ' * column}  exercises:\n"
            return _inserted(text, listed.end_mark, f"\n{head}{_entry(name, outcome, column + 4)}")
    raise CourseError(
        "assignments are written between brackets, and cannot be added to",
        where=document.path,
        fix="Write each exercise on lines of its own",
    )


def _inserted(text: str, end: yaml.Mark, entry: str) -> str:
    """``text`` with ``entry`` after the last line that has words before ``end``."""
    before = text[: end.index].rstrip()
    line_end = text.find("\n", len(before))
    at = len(text) if line_end < 0 else line_end + 1
    gap = "" if line_end >= 0 else "\n"
    return text[:at] + gap + entry + text[at:]


def _value(node: yaml.Node, key: str) -> Any:
    return next(value for name, value in node.value if name.value == key)


def _entry(name: str, outcome: str, indent: int) -> str:
    words = {"NAME": name, "TITLE": _words(name), "OUTCOME": outcome}
    lines = _filled(_templates() / "entry.yml", words).splitlines(keepends=True)
    return "".join(" " * indent + line for line in lines)


def _room(course: Course, root: Path, name: str) -> list[Path]:
    """Write the files of a room from the templates."""
    place = Room(course.exercise(name), root)
    kinds = [kind for kind, declared in course.kinds.items() if declared.share]
    values = "values" if "values" in kinds else max(kinds, key=lambda kind: course.kinds[kind].share)
    words = {
        "NAME": name,
        "TITLE": _words(name),
        "VALUES": values,
        "ERRORS": "errors" if "errors" in kinds else values,
    }
    templates = _templates()
    wanted = {
        place.solution: templates / "solution.py.txt",
        place.public: templates / "test_public.py.txt",
        place.hidden: templates / "test_hidden.py.txt",
        place.misconceptions_file: templates / "misconceptions.py.txt",
        place.hints_file: templates / "hints.md",
        place.explanation_file: templates / "explanation.md",
    }
    for template in sorted((templates / "alternatives").iterdir(), key=lambda item: item.name):
        wanted[place.graders / "alternatives" / template.name.removesuffix(".txt")] = template
    for path in wanted:
        if path.exists():
            raise CourseError(
                "there is a file already", where=path, fix="Move it away, or choose another name"
            )
    return [_write(path, _filled(template, words)) for path, template in wanted.items()]


def _words(name: str) -> str:
    """A name as a title: ``2_fold_list`` as ``Fold list``."""
    return re.sub(r"^\d+_", "", name).replace("_", " ").capitalize()


def _templates() -> Traversable:
    return files("softmarks.course") / "templates"


def _filled(template: Traversable, words: dict[str, str]) -> str:
    text = template.read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"__{name}__", word)
    return text


def _write(path: Path, text: str) -> Path:
    write_text(path, text)
    return path
