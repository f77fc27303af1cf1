"""What the tests share: the toy course, the attention course, a worker of each; and their order."""

import os
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.grading.workers import Worker

ROOT = Path(__file__).parent.parent
TOY = ROOT / "tests" / "courses" / "toy"
FIRST = ("test_attention.py", "test_odd_answers.py")  # long tests that share nothing but a worker
NEXT = ("test_classroom.py", "test_release.py", "test_direct.py", "test_documents.py")  # long files


def pytest_collection_modifyitems(items):
    """The longest tests begin."""
    items.sort(key=lambda item: (item.path.name not in FIRST, item.path.name not in NEXT))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Long tests are dealt one by one; those of another file stay in one process, with what they set up."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, _ = nodeid.partition("::")
            return nodeid if file.endswith(FIRST) else file

    config.option.loadscopereorder = False  # it would put the files with the most tests first
    return Scheduling(config, log)


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


@pytest.fixture(scope="session")
def course_worker(own_cache):
    """A worker that grades the attention course."""
    with Worker(ROOT, "required") as worker:
        yield worker


@pytest.fixture
def toy_room(toy):
    """A room of the toy course by name."""
    return lambda name: room(toy, TOY, name)
