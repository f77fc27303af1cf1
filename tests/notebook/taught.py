"""A class that has been taught with nbgrader, from `softmarks nbgrader build` to the feedback it fetched."""

from __future__ import annotations

import json
from pathlib import Path

from nbgrader.api import Gradebook

from softmarks.course.course import load_course
from softmarks.course.rooms import joined, room
from softmarks.course.sheets import read_sheet, right_answers
from tests.notebook.made import ASSIGNMENT, EXERCISE, FREE, SHEET, course_with_everything
from tests.notebook.nbgrading import Classroom, change, nbgrader, solved

STUDENTS = ("ann", "bob", "cat")
MISTAKES = {
    "ann": (),
    "bob": ("no-wrap",),
    "cat": ("no-wrap", "capitals-lost"),
}
WORDS = "One state must hold it all; attention looks at every state."
HELPER = "import math\nimport collections\n\n\ndef half(x):\n    return x / 2\n\n\nprint(half(math.pi))"


def teach(folder: Path) -> None:
    """All that was handed in is graded, one cell by hand, and graded again."""
    root = course_with_everything(folder / "toy")
    classroom = Classroom(folder)
    classroom.build(root, "--assignment", ASSIGNMENT)
    course, homes = classroom.folder, [classroom.home(student) for student in STUDENTS]

    def each(words: str, *folders: Path) -> list[tuple[Path, str]]:
        return [(one, f"{words} {ASSIGNMENT}") for one in folders]

    nbgrader(
        *each("generate_assignment", course),
        *each("release_assignment", course),
        *each("fetch_assignment", *homes),
        home=folder,
    )
    for student in STUDENTS:
        work(classroom, root, student)
    nbgrader(
        *each("submit", *homes),
        *each("collect", course),
        *each("autograde", course),
        home=folder,
    )
    with book(classroom) as gradebook:
        grade = gradebook.find_grade(f"{SHEET}-{FREE}", SHEET, ASSIGNMENT, "ann")
        assert grade.needs_manual_grade
        grade.manual_score = 4.5
        grade.needs_manual_grade = False
        gradebook.db.commit()
    nbgrader(
        *each("autograde --force", course),
        *each("generate_feedback", course),
        *each("release_feedback", course),
        (course, "export"),
        *each("fetch_feedback", *homes),
        home=folder,
    )


def book(classroom: Classroom) -> Gradebook:
    """The gradebook of the class."""
    return Gradebook(f"sqlite:///{classroom.folder}/gradebook.db", classroom.course_id)


def work(classroom: Classroom, root: Path, student: str) -> None:
    """What each writes: all right; a mistake, a wrong letter and an own cell; two mistakes and no words."""
    place = room(load_course(root), root, EXERCISE)
    wrong = [one for one in place.misconceptions() if one.id in MISTAKES[student]]
    sheet = read_sheet(room(load_course(root), root, SHEET).sheet)
    letters = right_answers(sheet)
    if student == "bob":
        letters[sheet.questions[0].id] = next(iter(sheet.questions[0].wrong))
    folder = classroom.home(student) / ASSIGNMENT
    path = folder / f"{EXERCISE}.ipynb"
    notebook = solved(json.loads(path.read_text()), joined(wrong, place.reference()))
    if student == "bob":
        cell = {"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "execution_count": None}
        notebook["cells"].insert(2, {**cell, "source": HELPER})
    path.write_text(json.dumps(notebook))
    path = folder / "count_words.ipynb"
    other = room(load_course(root), root, "count_words").reference()
    path.write_text(json.dumps(solved(json.loads(path.read_text()), other)))
    path = folder / f"{SHEET}.ipynb"
    notebook = json.loads(path.read_text())
    change(notebook, f"{SHEET}-letters", lambda cell: cell.update(source=f"ANSWERS = {letters!r}"))
    if student != "cat":
        change(notebook, f"{SHEET}-{FREE}", lambda cell: cell.update(source=WORDS))
    path.write_text(json.dumps(notebook))
