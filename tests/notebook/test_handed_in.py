"""Which of a student's files is the answer to an exercise of an nbgrader assignment."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.notebook.handed_in import other_names, read_handed_in
from softmarks.submission.collecting import read_submission
from softmarks.submission.reading import Source
from tests.conftest import TOY

COURSE = load_course(TOY)
CAESAR = COURSE.exercise("caesar")
CODE = "def encode(text, shift): return text\ndef decode(text, shift): return text"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder of the assignment, with what nbgrader puts into it."""
    folder = tmp_path / "submitted" / "ann" / "1_text"
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text("2027-03-01 12:00:00 UTC")
    (folder / "checks.zip").write_bytes(b"PK")
    return folder


def write(folder: Path, name: str, code: str = CODE, seconds: int = 0) -> None:
    """A notebook that was saved some seconds after the others."""
    cell = {"cell_type": "code", "source": code, "metadata": {}, "outputs": [], "execution_count": None}
    (folder / name).write_text(json.dumps({"cells": [cell]}))
    os.utime(folder / name, (1_800_000_000 + seconds,) * 2)


def read(folder: Path) -> Source:
    return read_handed_in(CAESAR, folder, read_submission(folder, COURSE.part(["1_text"])))


def test_the_notebook_that_was_given_out(folder: Path) -> None:
    """Under its own name, with nothing to say of it; its cells are there as they were handed in."""
    write(folder, "caesar.ipynb")
    write(folder, "count_words.ipynb", "def count_words(text): return {}")
    source = read(folder)
    assert (source.filename, source.repairs, source.unreadable) == ("caesar.ipynb", (), "")
    assert [cell.text for cell in source.handed] == [CODE]


def test_a_copy_beside_it_is_left_and_told(folder: Path) -> None:
    """Though it is newer: Jupyter's "Duplicate" keeps an older state under the new name."""
    write(folder, "caesar.ipynb")
    write(folder, "caesar-Copy1.ipynb", "encode = decode = None", seconds=3600)
    source = read(folder)
    assert source.cells == (f"# cell 1\n{CODE}",)
    assert source.repairs == ("took 'caesar.ipynb', which was given out, and left 'caesar-Copy1.ipynb'",)


def test_an_older_program_beside_it_is_told(folder: Path) -> None:
    """Whatever is not graded is said."""
    write(folder, "caesar.ipynb", seconds=60)
    (folder / "caesar.py").write_text("encode = None")
    os.utime(folder / "caesar.py", (1_800_000_000,) * 2)
    assert read(folder).repairs == ("2 files for caesar: took 'caesar.ipynb', left 'caesar.py'",)


@pytest.mark.parametrize("damage", ["empty", "folder", "link"])
def test_one_that_cannot_be_read_is_no_loss(damage: str, folder: Path) -> None:
    """Where there is another that can, that one is taken, and told."""
    path = folder / "caesar.ipynb"
    write(folder, "caesar (1).ipynb")
    if damage == "empty":
        path.touch()
    elif damage == "folder":
        path.mkdir()
    else:
        path.symlink_to(folder / "caesar (1).ipynb")
    source = read(folder)
    assert (source.filename, source.unreadable) == ("caesar (1).ipynb", "")
    assert "took 'caesar (1).ipynb' as caesar" in source.repairs


def test_of_two_that_cannot_be_read_the_one_of_its_name_is_told(folder: Path) -> None:
    """It is the one that people look for."""
    (folder / "caesar.ipynb").touch()
    (folder / "caesar (1).ipynb").write_text("{")
    assert (read(folder).filename, read(folder).unreadable) == (
        "caesar.ipynb",
        "the notebook is empty (0 bytes)",
    )


def test_nothing_for_the_exercise(folder: Path) -> None:
    """It is said; where something cannot be opened, that is why."""
    assert read(folder.parent).unreadable == "there is no caesar.ipynb, and no other file for it"
    write(folder, "count_words.ipynb", "def count_words(text): return {}")
    assert read(folder).unreadable == "there is no caesar.ipynb, and no other file for it"
    (folder / "caesar.rar").write_bytes(b"Rar!")
    assert "RAR archives are not opened" in read(folder).unreadable


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    """Nor is anything else that is no file."""
    os.mkfifo(folder / "caesar.ipynb")
    assert read(folder).unreadable == "this is not an ordinary file"


@pytest.mark.parametrize(
    "name", ["caesar (2).ipynb", "Caesar.IPYNB", "caesar.ipynb.txt", "caesar.py", "my work.py"]
)
def test_other_names_are_found(name: str, folder: Path) -> None:
    """nbgrader is told of those that it would not know; it need not be told of the others."""
    if name.endswith(".py"):
        (folder / name).write_text(CODE)
    else:
        write(folder, name)
    assert other_names(folder, COURSE.part(["1_text"]), {"count_words"}) == ["caesar"]
    assert other_names(folder, COURSE.part(["1_text"]), {"count_words", "caesar"}) == []
    assert read(folder).cells[0].endswith(CODE)
    assert read(folder).repairs[0] == f"there is no caesar.ipynb; read '{name}'"


def test_what_may_be_in_something_that_cannot_be_opened(folder: Path) -> None:
    """It is not missing: nbgrader is told, so that it gets no 0."""
    write(folder, "caesar.ipynb")
    assert other_names(folder, COURSE.part(["1_text"]), {"caesar"}) == []
    (folder / "rest.zip").write_bytes(b"PK\x03\x04 cut off")
    assert other_names(folder, COURSE.part(["1_text"]), {"caesar"}) == ["count_words"]
