"""`from softmarks import mark`: a verdict in one line, from text or a file."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from softmarks import mark
from softmarks.errors import UsageError
from tests.conftest import TOY

WRONG = "def count_words(text):\n    return {}\n"


def test_a_program_and_a_file(toy_room, tmp_path):
    """Full marks for what is right, fewer for what is not, none for what cannot be read; behind the wall."""
    right = toy_room("count_words").reference()
    verdict = mark("count_words", right, course=str(TOY))
    assert verdict.full_marks
    assert verdict.confined
    assert not mark("count_words", WRONG, course=str(TOY)).full_marks
    file = tmp_path / "answer.py"
    file.write_text(right)
    assert mark("count_words", file, course=str(TOY)).points == verdict.points
    file.with_suffix(".ipynb").write_bytes(b"")
    nothing = mark("count_words", file.with_suffix(".ipynb"), course=str(TOY))
    assert (nothing.status, nothing.points) == ("ungradable", None)


def test_one_process_is_kept(toy_room):
    """The second call is answered by the process of the first."""
    right = toy_room("count_words").reference()
    mark("count_words", right, course=str(TOY))
    children = {one.pid for one in psutil.Process().children()}
    mark("count_words", right, course=str(TOY))
    assert {one.pid for one in psutil.Process().children()} == children


def test_wrong_names_are_told():
    """With what is near."""
    with pytest.raises(UsageError, match="Did you mean"):
        mark("count_word", WRONG, course=str(TOY))


def test_nothing_heavy_is_imported_before_it_is_used():
    """`import softmarks` is quick: no pydantic, torch or pytest."""
    code = "import sys, softmarks; print([n for n in ('pydantic', 'torch', 'pytest') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
