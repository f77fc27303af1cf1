"""One exercise as the source notebook of an nbgrader assignment: statement, solution cells, check cells.

Everything in it is worked out from the course, so two builds are the same byte for byte. A cell's id
is its ``grade_id``, where it has one: it names the cell even after somebody has stripped the metadata.
Needs jupytext and nbformat (the extra ``instructor``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from softmarks.course.course import Course
from softmarks.course.regions import BEGIN, END, markers
from softmarks.course.rooms import Room
from softmarks.course.sheets import (
    FreeQuestion,
    about,
    asked_text,
    empty_answers,
    letters,
    read_sheet,
    right_answers,
    worths,
)
from softmarks.course.suites import read_suite
from softmarks.course.text import read_text
from softmarks.errors import CourseError
from softmarks.notebook.stages import ANSWERS, STAGE_WORDS, STAGES, stage
from softmarks.verdict import deal

SCHEMA_VERSION = 3  # of nbgrader's metadata
LONGEST_ID = 64
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

HEAD = """\
*How this notebook is graded.* All code cells count, from top to bottom, those that you add as well. Lines
that begin with `%` or `!` are left out, and a cell that raises an error does not stop the next ones. Text
counts only where a cell says "YOUR ANSWER HERE". The cells after your code that name points are locked: run
them to try the public checks. The marks come from more checks, made when your work has been handed in.
"""
SETUP = """\
# Run this cell once. Then `%check {exercise}` in a cell of your own says how far you are.
try:
    %load_ext softmarks
except ModuleNotFoundError:
    print("To check your work here: %pip install softmarks. You can write and hand in without it.")"""
CHECKS = """\
# {exercise}: {words}, {points} points. Locked; run it to try the public checks.
import os

_step = os.environ.get("NBGRADER_EXECUTION")
assert _step != "autograde", (
    "No marks: this nbgrader is not set up for Softmarks. Put nbgrader_config.py back, and autograde again."
)
try:
    from softmarks.notebook.validating import assert_checked
except ImportError:
    _told = "Not checked here: that needs %pip install softmarks. It is graded all the same."
    assert _step is None, _told
    print(_told)
else:
    assert_checked("{exercise}", "{stage}")"""


def source_notebook(place: Room, course: Course) -> NotebookNode:
    """The source notebook of a room, solutions and points included. Raises CourseError for a faulty room."""
    parts = _sheet_cells(place) if place.is_sheet else _program_cells(place, course)
    name = place.exercise.name
    head = [_text(f"{name}-how-graded", HEAD.strip()), _code(f"{name}-setup", SETUP.format(exercise=name))]
    cells = [*head, *parts]
    _check_ids([cell.id for cell in cells], place)
    notebook: NotebookNode = new_notebook(
        cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    nbformat.validate(notebook)
    return notebook


def _check_ids(ids: Sequence[str], place: Room) -> None:
    """Raise CourseError unless the cells have names of their own, which a notebook can hold."""
    where = place.sheet if place.is_sheet else place.solution
    for position, name in enumerate(ids):
        if name in ids[:position]:
            raise CourseError(
                f"two cells of the notebook would be called {name}",
                where=where,
                fix="Give the question another id",
            )
        if len(name) > LONGEST_ID:
            raise CourseError(
                f"a cell of the notebook would be called {name}, and {LONGEST_ID} characters is most",
                where=where,
                fix="Give the exercise or the question a shorter name",
            )


def stage_points(place: Room, course: Course) -> dict[str, Decimal]:
    """The points of a program's check cells, in their order; stages that are worth nothing are left out.

    They are sums of what `softmarks.verdict.deal` gives each check, so a verdict's cents add up to them.
    """
    checks = read_suite(place.hidden).checks
    kinds = {check.name: next(mark for mark in check.marks if mark in course.kinds) for check in checks}
    points = dict.fromkeys(STAGES, Decimal(0))
    for name, worth in deal(place.exercise.points, kinds, course.shares(place.exercise)).items():
        points[stage(kinds[name], course.kinds)] += worth
    return {name: worth for name, worth in points.items() if worth}


def _program_cells(place: Room, course: Course) -> Iterator[NotebookNode]:
    name = place.exercise.name
    script = jupytext.reads(read_text(place.solution), fmt={"extension": ".py", "format_name": "percent"})
    taken = {f"{name}-{other}" for other in ("setup", *STAGES)}
    for number, cell in enumerate(script.cells, 1):
        if cell.cell_type == "markdown":
            yield _text(f"{name}-text-{number}", cell.source)
        elif list(markers(cell.source.split("\n"))):
            yield _solution(_id(f"{name}-{_first_name(cell.source) or number}", taken), cell.source)
        else:
            yield _code(f"{name}-given-{number}", cell.source)
    yield from _check_cells(name, stage_points(place, course))


def _sheet_cells(place: Room) -> Iterator[NotebookNode]:
    name, sheet = place.exercise.name, read_sheet(place.sheet)
    yield _text(f"{name}-about-all", about(sheet, place.exercise))
    for asked in sheet.questions:
        yield _text(f"{name}-asked-{asked.id}", asked_text(asked))
    right = f"{BEGIN} write your letters into the dictionary\n{letters(right_answers(sheet))}\n{END}"
    yield _solution(f"{name}-letters", f"{empty_answers(sheet)}\n{right}")
    worth = worths(sheet, place.exercise.points, place.exercise.judged)
    points = sum((worth[asked.id] for asked in sheet.questions), Decimal(0))
    yield from _check_cells(name, {ANSWERS: points})
    for free in sheet.free:
        yield _text(f"{name}-asked-{free.id}", asked_text(free))
        yield _answer(f"{name}-{free.id}", free, worth[free.id])


def _check_cells(name: str, points: Mapping[str, Decimal]) -> Iterator[NotebookNode]:
    for stage_name, worth in points.items():
        words = STAGE_WORDS.get(stage_name, "are the answers right")
        source = CHECKS.format(exercise=name, words=words, points=f"{worth:.2f}", stage=stage_name)
        yield _marked(new_code_cell(source), f"{name}-{stage_name}", grade=True, locked=True, points=worth)


def _answer(grade_id: str, free: FreeQuestion, points: Decimal) -> NotebookNode:
    """A cell for an answer in words; model answer and mark scheme go with the solution."""
    scheme = "\n".join(f"- {line}" for line in free.rubric)
    source = (
        f"{BEGIN}\n**Model answer.** {free.answer}\n\n**Mark scheme**, {points:.2f} points\n\n{scheme}\n{END}"
    )
    return _marked(new_markdown_cell(source), grade_id, grade=True, solution=True, points=points)


def _solution(grade_id: str, source: str) -> NotebookNode:
    return _marked(new_code_cell(source), grade_id, solution=True)


def _text(grade_id: str, source: str) -> NotebookNode:
    return _marked(new_markdown_cell(source), grade_id, locked=True)


def _code(cell_id: str, source: str) -> NotebookNode:
    """Given code that a student may change: nbgrader has no interest in it."""
    return new_code_cell(source, id=cell_id)


def _marked(
    cell: NotebookNode,
    grade_id: str,
    *,
    grade: bool = False,
    solution: bool = False,
    locked: bool = False,
    points: Decimal | None = None,
) -> NotebookNode:
    cell.id = grade_id
    cell.metadata["nbgrader"] = {
        "schema_version": SCHEMA_VERSION,
        "grade_id": grade_id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
        **({} if points is None else {"points": float(points)}),
    }
    return cell


def _first_name(source: str) -> str:
    """The first function, class or variable that a cell defines."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return node.name
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    return ""


def _id(wanted: str, taken: set[str]) -> str:
    """``wanted`` as an id that no other cell has."""
    plain = re.sub(r"[^a-zA-Z0-9_-]", "-", wanted)[: LONGEST_ID - 4]
    found = next(name for name in (plain, *(f"{plain}-{n}" for n in range(2, 1000))) if name not in taken)
    taken.add(found)
    return found
