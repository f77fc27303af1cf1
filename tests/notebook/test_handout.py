"""The notebooks of a student edition: the stubs' cells, for Jupyter and for Colab."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from softmarks.course.course import load_course
from softmarks.course.packing import put
from softmarks.course.rooms import room, rooms
from softmarks.grading.own_work import check_own
from softmarks.grading.release import student_edition
from softmarks.notebook.handout import as_notebooks
from softmarks.submission.collecting import read_file
from tests.conftest import ROOT, TOY

PYTHON = Path(sys.executable)


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """The toy course as notebooks for Colab."""
    course, folder = load_course(TOY), tmp_path_factory.mktemp("edition") / "course"
    files = student_edition(course, TOY, lambda _words: None, ".ipynb")
    put(as_notebooks(files, course, TOY, "ada/toy"), folder)
    return folder


def stubs_as_notebooks(root, github=None):
    course = load_course(root)
    stubs = {f"exercises/{place.address}.py": place.stub.read_bytes() for place in rooms(course, root)}
    return as_notebooks(stubs, course, root, github)


@pytest.mark.parametrize("github", [None, "ada/course"])
def test_every_stub_becomes_a_notebook(github):
    """Valid, the same each time, with all that the stub says; a stub is not there as a program too."""
    made, course = stubs_as_notebooks(ROOT, github), load_course(ROOT)
    assert made == stubs_as_notebooks(ROOT, github)
    for place in rooms(course, ROOT):
        notebook = nbformat.reads(made.pop(f"exercises/{place.address}.ipynb").decode(), as_version=4)
        nbformat.validate(notebook)
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        for line in place.stub.read_text().splitlines():
            assert line.startswith("#") or line in code
        assert ("git clone" in code) == bool(github)
        assert ("colab.research.google.com/github/ada/course" in notebook.cells[0].source) == bool(github)
        assert (notebook.cells[0].metadata.get("id") == "view-in-github") == bool(github)
        assert ("colab" in notebook.metadata) == bool(github)
    assert made == {}


def test_the_first_cell_fetches_the_course_in_colab_alone():
    """Where Colab is not, nothing is fetched: as Python, and as IPython reads it."""
    made = stubs_as_notebooks(TOY, "ada/toy")
    cells = json.loads(made["exercises/1_text/caesar.ipynb"])["cells"]
    [setup] = [cell["source"] for cell in cells if cell["id"] == "caesar-setup"]
    setup = "".join(setup)
    assert "git clone -q --depth 1 https://github.com/ada/toy /content/course" in setup
    asked = []
    shell = type("Shell", (), {"system": lambda _, line: asked.append(line)})()
    shell.run_line_magic = lambda name, line: asked.append(f"%{name} {line}")
    program = compile(TransformerManager().transform_cell(setup), "setup", "exec")
    exec(program, {"get_ipython": lambda: shell})
    assert asked == ["%load_ext softmarks"]
    sys.modules["google.colab"] = sys
    try:
        exec(program, {"get_ipython": lambda: shell})
    finally:
        del sys.modules["google.colab"]
    assert [line.split()[0] for line in asked[1:]] == ["git", "pip", "%cd", "%load_ext"]
    assert "exercises/1_text" in asked[3]


def test_a_notebook_is_checked_and_handed_in(edition, tmp_path):
    """`softmarks check` and plain pytest take the answer from it; what is for Colab does not count."""
    place = room(load_course(TOY), TOY, "caesar")
    own = edition / "exercises" / "1_text" / "caesar.ipynb"
    notebook = nbformat.read(own, as_version=4)
    [cell] = [cell for cell in notebook.cells if "def encode" in cell.source]
    cell.source = re.sub(r'^""".*?^"""', "", place.reference(), flags=re.S | re.M)
    nbformat.write(notebook, own)
    course = load_course(edition)
    [verdict] = [one.verdict for one in check_own(course, edition, edition, ["caesar"])]
    assert verdict.all_right, verdict.messages
    source = read_file(own, course.exercise("caesar"))
    assert not source.unreadable
    words = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "graders/1_text/caesar"]
    done = subprocess.run(words, cwd=edition, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_it_says_how_to_begin(edition):
    """The README names the notebooks."""
    assert "exercises/1_text/count_words.ipynb" in (edition / "README.md").read_text()
    assert not list((edition / "exercises").rglob("caesar.py"))
    assert (edition / "exercises/1_text/building_blocks.py").is_file()
