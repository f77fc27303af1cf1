"""A class that outgrows one machine: graded by a Dask cluster of separate processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.grading.pools import on_a_cluster
from softmarks.reporting.recorded import read_verdicts
from tests.conftest import TOY

distributed = pytest.importorskip("distributed")
SOFTMARKS = Path(sys.executable).with_name("softmarks")
STUDENTS = 12


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers, each a process of its own."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        local_directory=tmp_path_factory.mktemp("dask"),
    ) as made:  # fmt: skip
        yield made


@pytest.fixture
def root(tmp_path):
    """A course to change."""
    return Path(shutil.copytree(TOY, tmp_path / "course"))


@pytest.fixture
def work(root, tmp_path):
    """A class: the marks of student N are known."""
    place = room(load_course(root), root, "count_words")
    for number in range(STUDENTS):
        target = tmp_path / "work" / f"student_{number:02}" / "count_words.py"
        target.parent.mkdir(parents=True)
        program = place.misconceptions()[0].apply(place.reference()) if number % 3 else place.reference()
        target.write_text(f"import time\ntime.sleep(0.3)\n{program}\n# {number}\n")
    return tmp_path / "work"


def grade(root, work, results, *more):
    words = [SOFTMARKS, "grade", work, "-o", results, "--course", root, "--only", "count_words", *more]
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


def marks(results):
    return {one.student: one.exercises[0].points for one in read_verdicts(results)}


def test_a_killed_machine_loses_and_doubles_nothing(root, work, tmp_path, cluster):
    """The marks of a run on this machine, though one of the cluster's processes is killed half-way."""
    assert grade(root, work, tmp_path / "here").returncode == 0
    victim = next(iter(cluster.workers.values())).process.process.pid
    results = tmp_path / "results"

    def kill() -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and len(list(results.glob("verdicts/*.json"))) < 2:
            time.sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    done = grade(root, work, results, "--dask", cluster.scheduler_address)
    killer.join()
    assert done.returncode == 0, done.stderr
    assert marks(results) == marks(tmp_path / "here")
    assert len(marks(results)) == STUDENTS
    assert len(set(marks(results).values())) == 2


def test_another_version_is_refused(root, work, tmp_path, cluster):
    """A course that was changed after a cluster's worker had read it is not graded with the old one."""
    address = cluster.scheduler_address
    assert grade(root, work, tmp_path / "first", "--dask", address).returncode == 0
    suite = root / "graders/1_text/count_words/test_hidden.py"
    suite.write_text(suite.read_text() + "\n# repaired\n")
    done = grade(root, work, tmp_path / "second", "--dask", address)
    assert done.returncode == 2
    assert re.search(
        r"would grade count_words with something else: the suite, the course or the seed", done.stderr
    )


def test_nobody_answers(monkeypatch):
    """An address without a scheduler is told as one."""
    monkeypatch.setattr("softmarks.grading.pools.PATIENCE", 1)
    with pytest.raises(UsageError, match=r"no Dask cluster answers at tcp://127\.0\.0\.1:9"):
        on_a_cluster("tcp://127.0.0.1:9").__enter__()
