"""Words in the text cells of a question sheet's notebook, found whatever became of the notebook."""

from __future__ import annotations

import ast
import json

import pytest

from softmarks.submission.reading import read_source

from .made import code


def prose(source: str, **more: object) -> dict[str, object]:
    return {"cell_type": "markdown", "source": source, "metadata": {}, **more}


ASKED = prose("## why\n\nWhy are there letters?", id="quiz-asked-why")
OTHER = prose("## how\n\nHow are they written?", id="quiz-asked-how")
LETTERS = code('ANSWERS = {"first": "b"}')


def answers(
    *cells: dict[str, object], names: tuple[str, ...] = ("ANSWERS", "FREE_ANSWERS")
) -> dict[str, str]:
    """What a program answers in words."""
    source = read_source(json.dumps({"cells": list(cells)}).encode(), "quiz.ipynb", "quiz", names)
    tree = ast.parse(source.text)
    given = [
        one.value for one in tree.body if isinstance(one, ast.Assign) and one.targets[0].id == "FREE_ANSWERS"
    ]
    return ast.literal_eval(given[-1]) if given else {}


@pytest.mark.parametrize(
    "names",
    [
        {"id": "quiz-why"},
        {"metadata": {"nbgrader": {"grade_id": "quiz-why"}}},
        {"metadata": 7, "id": "3f8a-11"},
        {},
    ],
)
def test_a_cell_answers_the_question_of_its_name_or_place(names: dict[str, object]) -> None:
    """By the name that nbgrader or the notebook kept; without one, by the question above it."""
    assert answers(LETTERS, ASKED, prose("For sounds.", **names), OTHER)["why"] == "For sounds."


def test_each_question_has_its_own() -> None:
    """A question below a question is no answer, and code is none."""
    assert answers(ASKED, OTHER, prose("In ink."), LETTERS) == {"how": "In ink."}
    assert answers(ASKED, LETTERS, OTHER) == {}


def test_a_name_says_more_than_a_place() -> None:
    """A note below the question does not take the place of the answer; of two answers the last one counts."""
    last = prose("The second.", id="quiz-why")
    assert answers(ASKED, prose("A note."), prose("The first.", id="quiz-why"), last) == {
        "why": "The second."
    }


def test_words_in_a_code_cell() -> None:
    """Somebody changed the type of the cell; that it is no Python costs nothing."""
    assert answers(LETTERS, code("They stand for sounds.", id="quiz-why")) == {
        "why": "They stand for sounds."
    }


def test_what_was_given_out_is_no_answer() -> None:
    """Neither by itself nor above one."""
    assert answers(prose("YOUR ANSWER HERE", id="quiz-why")) == {"why": ""}
    assert answers(prose("YOUR ANSWER HERE\n\nFor sounds.", id="quiz-why")) == {"why": "For sounds."}


def test_only_where_words_are_asked_for() -> None:
    """A program's text cells are nobody's answers; words that code gives come first."""
    assert answers(LETTERS, prose("For sounds.", id="quiz-why"), names=("ANSWERS",)) == {}
    own = code('FREE_ANSWERS = {"why": "By code."}')
    assert answers(own, prose("For sounds.", id="quiz-why")) == {"why": "By code."}
