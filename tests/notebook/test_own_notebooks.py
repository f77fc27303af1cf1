"""A notebook of the instructor's own, beside the exercises of the course."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from tests.notebook.made import ASSIGNMENT, EXERCISE, course_with_everything
from tests.notebook.nbgrading import Classroom, solved
from tests.notebook.taught import book


def marked(cell, grade_id, **how):
    """A cell with nbgrader's metadata."""
    given = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    cell.metadata["nbgrader"] = {"grade_id": grade_id, **given, **how}
    return cell


@pytest.mark.long
def test_a_notebook_that_is_no_exercise_waits_for_a_person(tmp_path):
    """It is not run, no cell of it gets a mark, and what was handed in is there; the rest is graded."""
    root = course_with_everything(tmp_path / "toy")
    classroom = Classroom(tmp_path)
    classroom.build(root, "--assignment", ASSIGNMENT)
    survey = new_notebook(
        cells=[
            marked(new_markdown_cell("How was it?"), "opinion", grade=True, solution=True, points=2.0),
            marked(new_code_cell("x = 1"), "setting", solution=True),
            marked(new_code_cell("assert x == 1"), "test", grade=True, locked=True, points=1.0),
        ]
    )
    nbformat.write(survey, classroom.folder / "source" / ASSIGNMENT / "survey.ipynb")
    classroom.run(f"generate_assignment {ASSIGNMENT}")
    place = room(load_course(root), root, EXERCISE)
    answer = solved(classroom.given(ASSIGNMENT, EXERCISE), place.reference())
    classroom.hand_in("ann", ASSIGNMENT, f"{EXERCISE}.ipynb", answer)
    filled = json.loads(json.dumps(classroom.given(ASSIGNMENT, "survey")))
    filled["cells"][0]["source"] = "It was long."
    filled["cells"][1]["source"] = f"open({str(tmp_path / 'was_run')!r}, 'w')"
    classroom.hand_in("ann", ASSIGNMENT, "survey.ipynb", filled)
    said = classroom.run(f"autograde {ASSIGNMENT}")
    assert "survey is no exercise of the course" in said
    assert not (tmp_path / "was_run").exists()
    with book(classroom) as gradebook:
        kept = gradebook.find_submission_notebook(EXERCISE, ASSIGNMENT, "ann")
        assert kept.score == kept.max_score
        own = gradebook.find_submission_notebook("survey", ASSIGNMENT, "ann")
        assert (own.score, own.needs_manual_grade) == (0, True)
    graded = nbformat.read(classroom.folder / "autograded/ann" / ASSIGNMENT / "survey.ipynb", as_version=4)
    assert graded.cells[0].source == "It was long."
