"""What a course still lacks before it can be taught: each thing with its file and what to do."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.faults import near
from softmarks.course.importing import imported
from softmarks.course.rooms import Room, Variant, rooms
from softmarks.course.sheets import read_sheet
from softmarks.course.suites import read_suite
from softmarks.course.text import parsed, read_text
from softmarks.errors import CourseError

OPTIONAL = ("show.py", "equivalents.yml")


def problems(course: Course, root: Path) -> list[str]:
    """Everything that is missing or wrong in the rooms of ``course``, in the order of the course.

    Stubs are imported, in a process of their own; no suite runs.
    """
    found = [str(problem) for problem in _shadowing(course, root)]
    for room in rooms(course, root):
        looks = (_sheet,) if room.is_sheet else (_solution, _suites, _wrong_answers, _right_answers, _words)
        for look in looks:
            found += [str(problem) for problem in _listed(look(course, room))]
    found += [str(problem) for problem in _stubs(course, root)]
    found += [str(problem) for problem in _stray_files(course, root)]
    return list(dict.fromkeys(found))  # a missing file is met more than once


def _listed(problems: Iterator[CourseError]) -> Iterator[CourseError]:
    """The problems yielded, and the one raised, when a file cannot even be read."""
    try:
        yield from problems
    except CourseError as problem:
        yield problem


def _shadowing(course: Course, root: Path) -> Iterator[CourseError]:
    """Exercises that a student's `import` would find in the place of a package."""
    taken = {*sys.stdlib_module_names, *course.packages, "graders", "building_blocks"}
    for exercise in course.exercises:
        if exercise.name in taken or _is_installed(exercise.name, root):
            yield CourseError(
                f"the exercise {exercise.name} has the name of a package",
                where=root / "course.yml",
                fix="Rename it, or importing the package finds the student's file",
            )


def _is_installed(name: str, root: Path) -> bool:
    """Whether `import name` finds a module here, other than a file of the course itself."""
    spec = find_spec(name)
    return spec is not None and not (spec.origin and Path(spec.origin).is_relative_to(root.resolve()))


def _sheet(_: Course, room: Room) -> Iterator[CourseError]:
    sheet, exercise = read_sheet(room.sheet), room.exercise
    if exercise.answers != sheet.names:
        yield CourseError(
            f"{exercise.name} asks for {', '.join(exercise.answers)}, its sheet for {', '.join(sheet.names)}",
            where=room.root / "course.yml",
            fix=f"Write answers: [{', '.join(sheet.names)}]",
        )
    if bool(exercise.judged) != bool(sheet.free):
        yield CourseError(
            f"{exercise.name} has {exercise.judged} judged points and {len(sheet.free)} free questions",
            where=room.root / "course.yml",
            fix="Give judged points to a sheet with free questions, and to no other",
        )


def _solution(_: Course, room: Room) -> Iterator[CourseError]:
    text = read_text(room.solution)
    if not text.startswith("# %% [markdown]\n# # "):
        yield CourseError(
            "the solution does not begin with its statement",
            where=room.solution,
            line=1,
            fix='Begin with "# %% [markdown]" and "# # Title"',
        )
    if "### BEGIN SOLUTION" not in text:
        yield CourseError(
            "nothing is left to the student",
            where=room.solution,
            fix="Put the lines to write between ### BEGIN SOLUTION and ### END SOLUTION",
        )
    yield from _lacking(room.reference(), room.exercise, room.solution)


def _suites(course: Course, room: Room) -> Iterator[CourseError]:
    for path in (room.public, room.hidden):
        statement = read_text(room.solution)
        yield from _listed(_suite(course, path, statement, public=path == room.public))


def _suite(course: Course, path: Path, statement: str, *, public: bool) -> Iterator[CourseError]:
    suite = read_suite(path)
    wrong = partial(CourseError, where=path)
    if not suite.checks:
        yield wrong("the suite has no check", fix="Write test functions")
    if public and "graders" in suite.imports:
        yield wrong(
            "the public suite imports graders, which students do not have", fix="Write the numbers into it"
        )
    names = [check.name for check in suite.checks]
    for check in suite.checks:
        unknown = [mark for mark in check.marks if mark not in course.kinds]
        if unknown:
            yield wrong(
                f'{check.name}: there is no kind "{unknown[0]}"',
                line=check.line,
                fix=near(unknown[0], course.kinds),
            )
        elif len(check.marks) != 1:
            yield wrong(
                f"{check.name} has {len(check.marks)} kinds, not one",
                line=check.line,
                fix="Mark it with @pytest.mark and one kind of course.yml",
            )
        if names.count(check.name) > 1:
            yield wrong(f"{check.name} is defined twice", line=check.line, fix="Rename one of them")
        if not check.says:
            yield wrong(
                f"{check.name} has no docstring",
                line=check.line,
                fix="Say the rule in words: students read it",
            )
        for need in check.needs:
            if need not in names:
                yield wrong(f"{check.name}: there is no check {need}", line=check.line, fix=near(need, names))
        for sentence in check.enforces:
            if _words_of(sentence) not in _words_of(statement):
                yield wrong(
                    f'{check.name}: the solution does not say "{sentence}"',
                    line=check.line,
                    fix="Quote the statement or a docstring, word for word",
                )


def _words_of(text: str) -> str:
    """The text without comment signs and line breaks."""
    return " ".join(re.sub(r"^#", "", text, flags=re.M).split())


def _wrong_answers(_: Course, room: Room) -> Iterator[CourseError]:
    wrong = partial(CourseError, where=room.misconceptions_file)
    reference = room.reference()
    misconceptions, trivial = room.misconceptions(), room.trivial()
    if not misconceptions:
        yield wrong("MISCONCEPTIONS is empty", fix="Add a mistake that people make")
    if not trivial:
        yield wrong("TRIVIAL is empty", fix="Add an answer without thought, such as one that returns None")
    shared = {variant.id for variant in misconceptions} & {variant.id for variant in trivial}
    for name in sorted(shared):
        yield wrong(f"{name} is listed twice", fix="Give one another id")
    variants: tuple[Variant, ...] = (*misconceptions, *trivial)
    for variant in variants:
        yield from _listed(_variant(variant, reference, room))


def _variant(variant: Variant, reference: str, room: Room) -> Iterator[CourseError]:
    try:
        text = variant.apply(reference)
    except CourseError as error:
        raise CourseError(error.what, where=room.misconceptions_file, fix=error.fix) from None
    try:
        ast.parse(text)
    except SyntaxError as error:
        yield CourseError(
            f"{variant.id}: the edited solution is no Python: {error.msg}",
            where=room.misconceptions_file,
            fix="Compare the indentation of old and new text",
        )
    if text == reference:
        yield CourseError(
            f"{variant.id} changes nothing", where=room.misconceptions_file, fix="Write another new text"
        )


def _right_answers(_: Course, room: Room) -> Iterator[CourseError]:
    if not room.alternatives:
        yield CourseError(
            "there is no alternative",
            where=room.graders / "alternatives",
            fix="Add a right answer written otherwise",
        )
    for path in room.alternatives:
        yield from _listed(_lacking(read_text(path), room.exercise, path))


def _words(_: Course, room: Room) -> Iterator[CourseError]:
    room.hints()
    if not read_text(room.explanation_file).strip():
        yield CourseError(
            "the explanation is empty", where=room.explanation_file, fix="Say what the exercise teaches"
        )


def _lacking(source: str, exercise: Exercise, path: Path) -> Iterator[CourseError]:
    """Answers that a program does not define at its top level."""
    body = parsed(source, path).body
    assigned = [node for node in body if isinstance(node, ast.Assign | ast.AnnAssign)]
    defined = {part.id for node in assigned for part in ast.walk(node) if isinstance(part, ast.Name)}
    defined |= {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for name in exercise.answers:
        if name not in defined:
            yield CourseError(
                f"{name} is not defined", where=path, fix=f"Define it: {exercise.name} asks for it"
            )


def _stubs(course: Course, root: Path) -> Iterator[CourseError]:
    """Stubs that are not there, do not import, or lack a name that the exercise asks for."""
    there = [room for room in rooms(course, root) if room.stub.is_file()]
    for room in rooms(course, root):
        if room not in there:
            yield CourseError("there is no stub", where=room.stub, fix="Run softmarks build")
    for room, result in zip(there, imported([room.stub for room in there]), strict=True):
        if result.error:
            yield CourseError(
                f"the stub does not import: {result.error}", where=room.stub, fix="Repair the solution"
            )
            continue
        for name in room.exercise.answers:
            if name not in result.names:
                yield CourseError(
                    f"the stub does not define {name}", where=room.stub, fix="Put regions inside functions"
                )


def _stray_files(course: Course, root: Path) -> Iterator[CourseError]:
    """Files in the three trees that belong to no room: nobody would find them again."""
    known = {root / "graders" / name for name in ("__init__.py", "oracle.py")}
    for room in rooms(course, root):
        known |= {
            room.sheet if room.is_sheet else room.solution,
            room.stub,
            room.public,
            room.hidden,
            room.misconceptions_file,
            room.hints_file,
        }
        known |= {room.explanation_file, *room.alternatives, *(room.graders / name for name in OPTIONAL)}
        known |= {
            root / tree / room.exercise.assignment / "building_blocks.py"
            for tree in ("solutions", "exercises")
        }
    for tree in ("solutions", "exercises", "graders"):
        for path in sorted((root / tree).rglob("*")):
            inside = path.relative_to(root)
            hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
            if path.is_file() and path not in known and not hidden:
                yield CourseError("the file belongs to no exercise", where=path, fix="Move it, or delete it")
