"""A student's cells, put back into the notebook that was given out: pure, and for any cells at all."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import nbformat
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from softmarks.notebook.restoring import restored
from softmarks.submission.notebooks import MAX_CELLS, Cell, read_notebook

TEXT, CODE, ANSWER, OTHER, CHECK = "sum-text-1", "sum-add", "sum-why", "sum-less", "sum-works"
CHECK_SOURCE = '# sum: does it work, 2.00 points.\nif True:\n    assert_checked("sum", "works")'


def marked(cell: NotebookNode, name: str, **marks: Any) -> NotebookNode:
    """A cell of nbgrader's."""
    cell.id = name
    plain = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    cell.metadata = nbformat.from_dict({"nbgrader": {**plain, "grade_id": name, **marks}, "deletable": False})
    return cell


def given() -> NotebookNode:
    """What was given out: text, given code, two functions to write, an answer in words, a check."""
    return new_notebook(
        cells=[
            marked(new_markdown_cell("# Sums"), TEXT, locked=True),
            new_code_cell("import math", id="sum-given-2"),
            marked(new_code_cell("def add(a, b):\n    raise NotImplementedError"), CODE, solution=True),
            marked(new_code_cell("def less(a, b):\n    raise NotImplementedError"), OTHER, solution=True),
            marked(new_markdown_cell("YOUR ANSWER HERE"), ANSWER, solution=True, grade=True, points=3.0),
            marked(new_code_cell(CHECK_SOURCE), CHECK, grade=True, locked=True, points=2.0),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )


def handed(notebook: NotebookNode) -> tuple[Cell, ...]:
    """The cells of a notebook as they are read from a student's file."""
    return read_notebook(json.dumps(notebook), ["add", "less"]).handed


def solved(*changes: tuple[str, str]) -> NotebookNode:
    """The notebook that was given out, with other texts in some cells."""
    notebook = given()
    for name, source in (
        (CODE, "def add(a, b):\n    return a + b"),
        (OTHER, "def less(a, b):\n    return a - b"),
        (ANSWER, "Because."),
        *changes,
    ):
        cell_of(notebook, name).source = source
    return notebook


def cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == name)


def found(notebook: NotebookNode) -> tuple[dict[str, str], list[str], list[str]]:
    """After a round: the texts by id, the order of ids, what was told."""
    back, repairs = restored(given(), handed(notebook))
    nbformat.validate(back)
    return {cell.id: cell.source for cell in back.cells}, [cell.id for cell in back.cells], repairs


def test_what_is_whole_stays_so() -> None:
    """Nothing is told; the student's texts stand in the cells that were given out, at their places."""
    texts, order, repairs = found(solved())
    assert order == [TEXT, "handed-in-2", CODE, OTHER, ANSWER, CHECK]
    assert texts[CODE].endswith("return a + b")
    assert texts[ANSWER] == "Because."
    assert repairs == []


def test_a_cell_of_ones_own_stays_where_it_is() -> None:
    """Code and text, with the number that it has in the notebook."""
    notebook = solved()
    notebook.cells.insert(2, new_code_cell("x = 1"))
    notebook.cells.insert(3, new_markdown_cell("A note."))
    back, repairs = restored(given(), handed(notebook))
    own = [(cell.id, cell.cell_type, cell.source) for cell in back.cells[2:4]]
    assert own == [("handed-in-3", "code", "x = 1"), ("handed-in-4", "markdown", "A note.")]
    assert repairs == []


@pytest.mark.parametrize("name", [TEXT, CODE, OTHER, ANSWER, CHECK])
def test_a_missing_cell_is_put_back_after_the_one_before_it(name: str) -> None:
    """As it was given out; it is told which."""
    notebook = solved()
    notebook.cells.remove(cell_of(notebook, name))
    texts, order, repairs = found(notebook)
    watched = [TEXT, CODE, OTHER, ANSWER, CHECK]
    before = watched[watched.index(name) - 1]
    assert order.index(name) == (0 if name == TEXT else order.index(before) + 1)
    assert texts[name] == cell_of(given(), name).source
    assert repairs == [f"put back what was missing: {name}"]


def test_from_nothing_all_is_put_back() -> None:
    """A notebook without cells gives the one that was given out, in its order."""
    back, repairs = restored(given(), [])
    assert [cell.id for cell in back.cells] == [TEXT, CODE, OTHER, ANSWER, CHECK]
    assert [cell.source for cell in back.cells if cell.id == CHECK] == [CHECK_SOURCE]
    assert repairs == [f"put back what was missing: {TEXT}, {CODE}, {OTHER}, {ANSWER}, {CHECK}"]


def test_of_a_doubled_cell_the_last_one_counts() -> None:
    """The first stays as a cell of the student's own: its code counts too, before the last."""
    notebook = solved()
    second = deepcopy(cell_of(notebook, CODE))
    second.source = "def add(a, b):\n    return b + a"
    notebook.cells.append(second)
    texts, order, repairs = found(notebook)
    assert texts[CODE].endswith("return b + a")
    assert texts["handed-in-3"].endswith("return a + b")
    assert order.index("handed-in-3") < order.index(CODE)
    assert repairs == [f"took the last of {CODE}, which is there more than once"]


def test_another_order_stays() -> None:
    """A student may write the last function first."""
    notebook = solved()
    notebook.cells.reverse()
    _, order, repairs = found(notebook)
    assert order == [CHECK, ANSWER, OTHER, CODE, "handed-in-5", TEXT]
    assert repairs == []


def test_a_cell_of_another_type_is_what_was_given_out() -> None:
    """Its text is kept, as code again, or as text again."""
    notebook = solved()
    for name, new in ((CODE, new_markdown_cell), (ANSWER, new_code_cell), (TEXT, new_code_cell)):
        cell = cell_of(notebook, name)
        at = notebook.cells.index(cell)
        notebook.cells[at] = new(cell.source, id=name, metadata=cell.metadata)
    back, repairs = restored(given(), handed(notebook))
    types = {cell.id: cell.cell_type for cell in back.cells}
    assert (types[CODE], types[ANSWER], types[TEXT]) == ("code", "markdown", "markdown")
    assert cell_of(back, CODE).source.endswith("return a + b")
    assert cell_of(back, ANSWER).source == "Because."
    assert repairs == []


@pytest.mark.parametrize("left", ["id", "metadata", "neither"])
def test_a_cell_is_known_by_its_name_or_its_text(left: str) -> None:
    """By nbgrader's metadata, by its id, and where neither is left by what it says or defines."""
    notebook = solved()
    for cell in notebook.cells:
        if left != "metadata":
            cell.metadata = {}
        if left != "id":
            del cell["id"]
    back, repairs = restored(given(), handed(notebook))
    texts = {cell.id: cell.source for cell in back.cells}
    assert texts[CODE].endswith("return a + b")
    assert texts[OTHER].endswith("return a - b")
    assert texts[CHECK] == CHECK_SOURCE
    assert texts[ANSWER] == "Because."
    assert repairs == []


def test_words_are_known_by_their_place() -> None:
    """The text below what stood before the answer; a note elsewhere is no answer, nor is code."""
    notebook = solved()
    answer = cell_of(notebook, ANSWER)
    at = notebook.cells.index(answer)
    notebook.cells[at] = new_markdown_cell("Because.")
    notebook.cells.append(new_markdown_cell("A note."))
    texts, order, repairs = found(notebook)
    assert texts[ANSWER] == "Because."
    assert (order[-1], repairs) == ("handed-in-7", [])
    for other in (new_code_cell("x = 1"), notebook.cells[at + 1]):
        notebook.cells[at] = other
        texts, _, repairs = found(notebook)
        assert texts[ANSWER] == "YOUR ANSWER HERE"
        assert repairs[-1] == f"put back what was missing: {ANSWER}"


def test_metadata_say_more_than_an_id() -> None:
    """A notebook from an old editor may have the same id in all cells."""
    notebook = solved()
    for cell in notebook.cells:
        cell.id = CODE
    texts, _, repairs = found(notebook)
    assert texts[OTHER].endswith("return a - b")
    assert texts[CHECK] == CHECK_SOURCE
    assert texts[CODE].endswith("return a + b")
    assert repairs == [f"took the last of {CODE}, which is there more than once"]


def test_two_cells_that_define_the_same() -> None:
    """Where no name is left, the later definition counts, as it does in Python."""
    notebook = solved()
    cells = [new_code_cell("def add(a, b):\n    return a"), new_code_cell("def add(a, b):\n    return b")]
    notebook.cells = [cells[0], notebook.cells[3], cells[1]]
    texts, order, _ = found(notebook)
    assert texts[CODE].endswith("return b")
    assert order.index(CODE) > order.index(OTHER) > order.index("handed-in-1")


def test_one_name_for_two_functions() -> None:
    """A copied cell keeps the other's name: it is found by what it defines."""
    notebook = solved()
    cell_of(notebook, CODE).metadata.nbgrader.grade_id = OTHER
    texts, _, repairs = found(notebook)
    assert texts[CODE].endswith("return a + b")
    assert texts[OTHER].endswith("return a - b")
    assert repairs == [f"took the last of {OTHER}, which is there more than once"]


def test_locked_text_is_put_back_and_told() -> None:
    """Spaces around it are no change."""
    texts, _, repairs = found(solved((TEXT, "# Sums of my own"), (CHECK, f"\n{CHECK_SOURCE}\n\n")))
    assert texts[TEXT] == "# Sums"
    assert texts[CHECK] == CHECK_SOURCE
    assert "Sums of my own" not in "".join(texts.values())
    assert repairs == [f"put the text of what is locked back: {TEXT}"]


def test_code_in_a_locked_cell_is_not_lost() -> None:
    """It counts, so it follows as a cell of the student's own."""
    texts, order, repairs = found(solved((CHECK, "def add(a, b):\n    return 5")))
    assert texts[CHECK] == CHECK_SOURCE
    assert order[-2:] == [CHECK, "handed-in-6"]
    assert texts["handed-in-6"].endswith("return 5")
    assert repairs == [f"put the text of what is locked back: {CHECK}"]


def test_an_untouched_locked_cell_stands_for_itself() -> None:
    """Not a later cell that somebody gave its name: that one stays the student's."""
    notebook = solved()
    notebook.cells.append(new_markdown_cell("My notes.", id=TEXT))
    notebook.cells.append(new_code_cell("x = 1", id=CHECK))
    texts, order, _ = found(notebook)
    assert order == [TEXT, "handed-in-2", CODE, OTHER, ANSWER, CHECK, "handed-in-7", "handed-in-8"]
    assert (texts["handed-in-7"], texts["handed-in-8"]) == ("My notes.", "x = 1")


def test_points_and_marks_are_those_that_were_given_out() -> None:
    """Whatever a student's metadata say."""
    notebook = solved()
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader |= {"points": 500, "grade": True, "locked": False, "schema_version": 99}
            cell.metadata["deletable"] = True
    notebook.metadata = {"kernelspec": {"name": "evil"}}
    back, _ = restored(given(), handed(notebook))
    for cell in given().cells:
        if "nbgrader" in cell.metadata:
            assert cell_of(back, cell.id).metadata == cell.metadata
    assert back.metadata == given().metadata


def test_outputs_are_dropped() -> None:
    """What a student's notebook shows under a check is nothing that counts."""
    notebook = solved()
    output = {
        "output_type": "execute_result",
        "data": {"text/plain": "2.0"},
        "metadata": {},
        "execution_count": 1,
    }
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output]
    back, _ = restored(given(), handed(notebook))
    assert all(cell.outputs == [] for cell in back.cells if cell.cell_type == "code")


@pytest.mark.parametrize(
    "metadata",
    [
        [],
        ["nbgrader"],
        "nbgrader",
        None,
        7,
        {"nbgrader": []},
        {"nbgrader": "grade_id"},
        {"nbgrader": {"grade_id": ["sum-add"]}},
        {"nbgrader": {"grade_id": None}},
        {"nbgrader": {"grade_id": "../../etc"}},
    ],
)
def test_metadata_of_other_types(metadata: object) -> None:
    """A list where a dictionary belongs says nothing, and costs nothing."""
    notebook = json.loads(json.dumps(solved()))
    for cell in notebook["cells"]:
        cell["metadata"] = metadata
    texts, _, repairs = found(notebook)
    assert texts[CODE].endswith("return a + b")
    assert repairs == []


def test_a_cell_that_an_instructor_added() -> None:
    """nbgrader's own editor names cells otherwise than by their ids: the name in the metadata counts."""
    edited = given()
    added = marked(new_markdown_cell("YOUR ANSWER HERE"), "cell-5f1", grade=True, solution=True, points=1.0)
    added.id = "b3c9"
    plain = new_markdown_cell("Good luck!", metadata={"nbgrader": {"grade": False}})
    edited.cells += [added, plain]
    notebook = deepcopy(edited)
    notebook.cells[-2].source = "My answer."
    back, repairs = restored(edited, handed(notebook))
    assert [cell.source for cell in back.cells if cell.id == "b3c9"] == ["My answer."]
    assert repairs == []


def test_the_notebook_that_was_given_out_is_not_changed() -> None:
    """The next student gets the same."""
    shared = given()
    restored(shared, handed(solved()))
    restored(shared, [])
    assert shared == given() | {
        "cells": [a | {"id": b.id} for a, b in zip(given().cells, shared.cells, strict=True)]
    }


def test_as_many_cells_as_are_read() -> None:
    """Two thousand cells with the same name are no more work than a few."""
    cells = [Cell(n, True, "def add(a, b): pass", name=CODE) for n in range(1, MAX_CELLS + 1)]
    back, _ = restored(given(), cells)
    assert len(back.cells) == MAX_CELLS + 4
    assert len({cell.id for cell in back.cells}) == len(back.cells)


LOCKED = {TEXT: "# Sums", CHECK: CHECK_SOURCE}
SOURCES = [cell.source for cell in [*given().cells, *solved().cells]]
CELLS = st.lists(
    st.builds(
        lambda is_code, text, name, is_python: Cell(0, is_code, text, name, body=text if is_python else None),
        st.booleans(),
        st.sampled_from(SOURCES) | st.text(max_size=20),
        st.sampled_from(["", "sum-given-2", "handed-in-1", TEXT, CODE, OTHER, ANSWER, CHECK]),
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=200, deadline=None)
@drawn(CELLS)
def test_for_any_cells(cells: list[Cell]) -> None:
    """Each cell that was given out is there once, as it was, and all the student's texts, in order."""
    for number, cell in enumerate(cells, 1):
        cell.number = number
    back, _ = restored(given(), cells)
    nbformat.validate(back)
    ids = [cell.id for cell in back.cells]
    assert len(set(ids)) == len(ids)
    for wanted in given().cells:
        if "nbgrader" in wanted.metadata:
            cell = cell_of(back, wanted.id)
            assert (cell.metadata, cell.cell_type) == (wanted.metadata, wanted.cell_type)
            assert cell.source == LOCKED.get(wanted.id, cell.source)
    left = iter([cell.source for cell in back.cells if cell.id not in LOCKED])
    for own in cells:
        taken_back = own.text.strip() in LOCKED.values() or (own.name in LOCKED and own.body is None)
        assert taken_back or own.text in left, own  # `in` moves on: so they are in order


def test_most_of_any_cells_are_kept() -> None:
    """The rule before this one is about something: a note of one's own is never taken back."""
    back, _ = restored(given(), [Cell(n, False, f"note {n}") for n in range(1, 9)])
    assert [cell.source for cell in back.cells if cell.source.startswith("note")] == [
        f"note {n}" for n in range(1, 9)
    ]
