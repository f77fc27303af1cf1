"""What the tests of notebooks share: a course as an instructor gives it out with nbgrader."""

from __future__ import annotations

import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from softmarks.cli.main import main, softmarks
from tests.notebook.made import ASSIGNMENT, EXERCISE, course_with_everything
from tests.notebook.nbgrading import Classroom

Make = Callable[[Path], object]


@pytest.fixture(scope="session")
def given_out(own_cache: None, made_once: Callable[[str, Make], Path]) -> Classroom:
    """The toy course with a sheet, and shorter limits, given out. Nobody changes it: see `classroom_in`."""

    def make(root: Path) -> None:
        course = course_with_everything(root / "toy")
        (course / "graders" / ASSIGNMENT / EXERCISE / "show.py").unlink()  # to draw takes its time
        text = (course / "course.yml").read_text().replace("cpu_seconds: 2", "cpu_seconds: 1")
        (course / "course.yml").write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            build(course, root / "course")
            generate(root / "course")

    return Classroom(made_once("given_out", make))


def build(course: Path, folder: Path, *words: str) -> None:
    """`softmarks nbgrader build`, in this process: what it imports costs more than what it does."""
    command = ["nbgrader", "build", str(folder), "--course", str(course), *words]
    softmarks.main(command, prog_name="softmarks", standalone_mode=False)


def generate(folder: Path) -> None:
    """`nbgrader generate_assignment` for each assignment, in this process."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.NbGraderAPI.log_level = "ERROR"
    api = NbGraderAPI(config=config)
    for source in sorted((folder / "source").iterdir()):
        done = api.generate_assignment(source.name)
        assert done["success"], done


@pytest.fixture
def says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run `softmarks` in this process: how it ends, its output and its error output."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["softmarks", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (ended.value.code, *capsys.readouterr())

    return run


def classroom_in(root: Path, given: Classroom) -> Classroom:
    """A copy of what was given out, to work in."""
    shutil.copytree(given.folder, root / "course")
    return Classroom(root)
