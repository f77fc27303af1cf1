"""What the tests share: the toy course, the attention course, a worker of each."""

import os
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.grading.workers import Worker

ROOT = Path(__file__).parent.parent
TOY = ROOT / "tests" / "courses" / "toy"


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Nothing is read from, or written to, the cache of the person who runs the tests."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # the processes of one run share what was played
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def toy():
    """The toy course."""
    return load_course(TOY)


@pytest.fixture(scope="session")
def toy_worker(own_cache):
    """A worker that grades the toy course."""
    with Worker(TOY, "required") as worker:
        yield worker


@pytest.fixture
def toy_room(toy):
    """A room of the toy course by name."""
    return lambda name: room(toy, TOY, name)
