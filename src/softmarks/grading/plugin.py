"""The pytest plugin for plain pytest and an editor's test explorer: the `student` fixture, in process.

One's own file is loaded into the test process itself, so breakpoints, `print` and coverage work.
There is no wall; `softmarks check` has one. Inert in suites that do not ask for `student`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from softmarks.course.suites import MARKS

if TYPE_CHECKING:
    from softmarks.grading.student import Names
    from softmarks.sandbox.client import InProcess


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


OWN: pytest.StashKey[tuple[Path, InProcess]] = pytest.StashKey()


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Names]:
    """The program of the exercise whose suite this test belongs to."""
    room = Path(str(request.node.path)).parent
    places = [
        room.parents[2] / "exercises" / room.parent.name / f"{room.name}{end}" for end in (".py", ".ipynb")
    ]
    own = next((place for place in places if place.is_file()), None)
    if own is None:
        where = f"there is no {places[0]}: the suite of {room.name} looks for your work there"
        pytest.fail(where, pytrace=False)
    yield from in_this_process(request, own)


def in_this_process(request: pytest.FixtureRequest, own: Path) -> Iterator[Names]:
    """The program in the file ``own``, loaded into this process for one check."""
    from softmarks.course.course import load_course
    from softmarks.course.rooms import room
    from softmarks.grading.program import Code, Program
    from softmarks.sandbox.client import InProcess
    from softmarks.submission.collecting import read_file

    name, root = request.node.path.parent.name, request.node.path.parents[3]
    course = load_course(root)
    given = room(course, root, name).given()
    host = InProcess(own)
    request.node.stash[OWN] = own, host
    source = read_file(own, course.exercise(name))
    if source.unreadable:
        pytest.fail(f"{own} cannot be read: {source.unreadable}", pytrace=False)
    program = Program(Code(name, source.cells, given, course.axes), lambda: host, seed=0)
    session, names = program.check()
    with session.current():
        yield names
    program.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Show what the learner's program raised where it raised it."""
    own, host = item.stash.get(OWN, (item.path, None))
    problem = call.excinfo and type(call.excinfo.value).__name__
    if problem == "StudentRaised" and host and host.raised:
        call.excinfo = pytest.ExceptionInfo.from_exception(host.raised)
        frames = call.excinfo.traceback.filter(lambda frame: Path(str(frame.path)) == own)
        call.excinfo.traceback = frames or call.excinfo.traceback
    return (yield)
