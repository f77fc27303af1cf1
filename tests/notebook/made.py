"""The toy course with what it lacks: a question sheet that asks for words, and a picture."""

from __future__ import annotations

import shutil
from pathlib import Path

from softmarks.course.course import load_course
from softmarks.course.lesson import build
from tests.conftest import TOY

ASSIGNMENT, EXERCISE, SHEET, FREE = "1_text", "caesar", "quiz", "why"
ENTRY = """\
      - name: quiz
        title: A quiz
        minutes: 5
        difficulty: 1
        outcomes: [walk-a-text]
        points: 7
        judged: 5
        answers: [ANSWERS, FREE_ANSWERS]

"""
QUESTIONS = """\
about: Letters.
questions:
  - id: first
    ask: Which letter comes first?
    choices: {a: This one., b: That one., c: None.}
    right: b
    because: Nothing comes before it in this quiz.
    wrong: {a: That one comes before this one., c: There is one that comes first.}
free:
  - id: why
    ask: Why are there letters?
    answer: Letters stand for the sounds of speech in writing.
    rubric: [Says that letters stand for sounds., Says that sounds are written down.]
"""
SHOW = '''\
"""Where letters go."""

from softmarks.pictures import Heatmap


def show(student):
    places = [[ord(student.encode(letter, shift)) - 97 for shift in (0, 1, 5)] for letter in "axyz"]
    return [Heatmap("Where letters go", places, "letter", "shift", tuple("axyz"), ("0", "1", "5"))]
'''


def course_with_everything(folder: Path) -> Path:
    """The course, written into a new folder."""
    shutil.copytree(TOY, folder)
    course = folder / "course.yml"
    text = course.read_text()
    course.write_text(text.replace("  - name: 2_numbers\n", f"{ENTRY}  - name: 2_numbers\n"))
    (folder / "solutions" / ASSIGNMENT / f"{SHEET}.yml").write_text(QUESTIONS)
    (folder / "graders" / ASSIGNMENT / EXERCISE / "show.py").write_text(SHOW)
    build(load_course(folder), folder)
    return folder
