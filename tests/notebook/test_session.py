"""What a kernel has executed, as the cells of a notebook."""

from __future__ import annotations

import pytest

from softmarks.notebook.session import Execution, Session, cells
from tests.notebook import shells

shell = shells.shell


def ran(*texts, **more):
    """Executions of texts, one after the other; a text may be given with its cell and whether it raised."""
    pairs = [text if isinstance(text, tuple) else (text, None, False) for text in texts]
    return [Execution(number, text, cell, raised) for number, (text, cell, raised) in enumerate(pairs, 1)]


def test_a_cell_counts_with_its_last_text():
    """An older text of a cell is gone; the cell keeps its place, and the number that stands beside it now."""
    found = cells(ran(("f = 1", "a", False), ("g = f", "b", False), ("f = 2", "a", False)))
    assert found == {3: "f = 2", 2: "g = f"}
    assert list(found) == [3, 2]


def test_a_cell_stands_where_it_first_ran():
    """The imports stay in front when they run again; what was tried before them comes after them."""
    imports, work = ("import math", "imports", False), ("x = math.pi", "work", False)
    assert list(cells(ran(imports, work, imports)).values()) == ["import math", "x = math.pi"]
    early = ("x = math.pi", "work", True)
    assert list(cells(ran(early, imports, work)).values()) == ["import math", "x = math.pi"]


def test_a_cell_that_never_ran_counts_where_it_was_tried_last():
    """It is a part of the notebook, whatever it raises."""
    broken = ("1 / 0", "a", True)
    assert cells(ran(broken, ("b = 1", "b", False), broken)) == {2: "b = 1", 3: "1 / 0"}


def test_without_ids_a_text_counts_first_and_last():
    """Imports that run again stay in front too, and a definition that is put back is the last one."""
    assert list(cells(ran("import math", "x = math.pi", "import math")).values())[:2] == [
        "import math",
        "x = math.pi",
    ]
    again = cells(ran("f = 1", "f = 2", "f = 1", "g = 1", "f = 1"))
    assert again == {1: "f = 1", 2: "f = 2", 4: "g = 1", 5: "f = 1"}


@pytest.fixture
def session(shell):
    shell.run_cell("before = 1", store_history=True)
    return Session(shell)


def test_a_session_begins_before_it_is_asked_for(shell, session):
    """What ran before the extension was loaded is in the history; what is running now counts already."""
    shell.user_ns["seen"] = lambda: found.update(session.cells())
    found: dict[int, str] = {}
    shell.run_cell("x = 1\nseen()", store_history=True, cell_id="a")
    assert found == {1: "before = 1", 2: "x = 1\nseen()"}


def test_a_session_knows_cells_and_what_raised(shell, session):
    """The id comes from the frontend; an error, also in the text itself, is remembered."""
    for text in ("x = y", "x = (", "x = 1"):
        shell.run_cell(text, store_history=True, cell_id="a")
    assert [(one.cell, one.raised) for one in session.executions] == [
        (None, False),
        ("a", True),
        ("a", True),
        ("a", False),
    ]


def test_what_a_frontend_runs_for_itself_does_not_count(shell, session):
    """Silent executions, and those that are kept out of the history, are nobody's cells."""
    shell.run_cell("hidden = 1", silent=True)
    shell.run_cell("aside = 1", store_history=False)
    shell.run_cell("   \n", store_history=True)
    assert session.cells() == {1: "before = 1"}
