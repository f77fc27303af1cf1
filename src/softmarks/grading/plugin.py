"""The pytest plugin for plain pytest and an editor's test explorer: the `student` fixture, in process.

One's own file is loaded into the test process itself, so breakpoints, `print` and coverage work.
There is no wall; `softmarks check` has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from softmarks.course.suites import MARKS

if TYPE_CHECKING:
    from softmarks.grading.student import Names


def pytest_configure(config: pytest.Config) -> None:
    """Make the kinds of the course known as marks."""
    from softmarks.errors import SoftmarksError

    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if (config.rootpath / "course.yml").is_file():
        from softmarks.course.course import load_course

        try:
            course = load_course(config.rootpath)
        except SoftmarksError as error:
            raise pytest.UsageError(str(error)) from error
        for name, kind in course.kinds.items():
            config.addinivalue_line("markers", f"{name}: {kind.says}")


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Names]:
    """The program of the exercise whose suite this test belongs to."""
    from softmarks.course.course import load_course
    from softmarks.grading.program import Code, Program
    from softmarks.sandbox.client import InProcess

    room = Path(str(request.node.path)).parent
    root = room.parents[2]
    own = root / "exercises" / room.parent.name / f"{room.name}.py"
    if not own.is_file():
        pytest.fail(f"there is no {own}: the suite of {room.name} looks for your work there", pytrace=False)
    text = own.read_text(encoding="utf-8")
    given = own.parent / "building_blocks.py"
    blocks = {"building_blocks": given.read_text(encoding="utf-8")} if given.is_file() else {}
    axes = load_course(root).axes
    program = Program(Code(room.name, (text,), blocks, axes), InProcess, seed=0)
    session, names = program.check()
    with session.current():
        yield names
