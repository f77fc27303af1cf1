"""What the tests share: both courses, a worker of each, an installation from wheels; and their order."""

import csv
import fcntl
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.grading.workers import Worker

ROOT = Path(__file__).parent.parent
TOY = ROOT / "tests" / "courses" / "toy"
FIRST = ("test_attention.py", "test_odd_answers.py")  # long tests that share nothing but a worker
NEXT = (
    "test_made_class.py",
    "test_classroom.py",
    "test_hostile.py",
    "test_release.py",
    "test_direct.py",
    "test_documents.py",
    "test_nbgrader_round.py",
    "test_regrading.py",
    "test_elsewhere.py",
)  # long files


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


@pytest.fixture(autouse=True)
def no_given_code_stays():
    """Each assignment's given code has the same name: the next test imports its own."""
    yield
    sys.modules.pop("building_blocks", None)


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


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """A folder by its name, made by the first who asks, also among the processes of pytest-xdist."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def made(name, make):
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / f"{name}.made").exists():
                make(shared / name)
                (shared / f"{name}.made").touch()
        return shared / name

    return made


@pytest.fixture(scope="session")
def wheels(made_once):
    """The Python of a fresh environment with the two wheels in it; their dependencies are borrowed."""
    return made_once("wheels", install_wheels) / "venv" / "bin" / "python"


def install_wheels(folder):
    """Build both distributions; install the wheels into a new environment, which borrows from this one."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder]
    for project in (ROOT, ROOT / "packaging" / "attention"):
        subprocess.run([*build, project], check=True, capture_output=True)
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    install = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install"]
    install += ["--quiet", "--no-deps", "--no-index", *folder.glob("*.whl")]
    subprocess.run(install, check=True, capture_output=True)
    site = next((environment / "lib").glob("python3*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")


def page_of(results: Path, student: str) -> Path:
    """A student's page in a results folder, which has the index of all pages."""
    with (results / "pages.csv").open(encoding="utf-8", newline="") as index:
        return results / {row["student"]: row["page"] for row in csv.DictReader(index)}[student]
