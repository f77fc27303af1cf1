"""Which of one's own files is checked, and by which names an exercise is called."""

from __future__ import annotations

import pytest

from softmarks.errors import UsageError
from softmarks.grading.own_work import _code, the_begun


def test_a_notebook_counts_where_the_program_is_the_stub(toy_room, tmp_path):
    """Whoever wrote into the notebook left the stub beside it alone; with both begun the program counts."""
    place = toy_room("caesar")
    program, notebook = tmp_path / "caesar.py", tmp_path / "caesar.ipynb"
    assert the_begun([program, notebook], place) is None
    program.write_bytes(place.stub.read_bytes().replace(b"\n", b"\r\n"))
    assert the_begun([program, notebook], place) == program
    notebook.write_text("{}")
    assert the_begun([program, notebook], place) == notebook
    program.write_text("def encode(text, shift):\n    return text\n")
    assert the_begun([program, notebook], place) == program


@pytest.mark.parametrize(
    "name", ["caesar", "caesar.py", "caesar.ipynb", "1_text/caesar", "./1_text/caesar.py"]
)
def test_an_exercise_is_known_by_its_address_and_its_file(toy, name):
    """As a person types it, or a shell completes it."""
    assert toy.exercise(name).name == "caesar"


def test_an_unknown_one_is_told_with_near_names(toy):
    """Of the exercise, not of the path."""
    with pytest.raises(UsageError, match='Did you mean "caesar"'):
        toy.exercise("1_text/ceasar.py")


def test_a_solution_is_shown_without_its_text():
    """The cells of code, in their order."""
    text = "# %% [markdown]\n# # Title\n\n# %%\nimport torch\n\n# %%\nx = 1\n"
    assert _code(text) == "import torch\n\n\nx = 1"
