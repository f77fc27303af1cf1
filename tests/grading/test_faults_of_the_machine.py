"""A disk that is full, a folder that vanishes, a clock that jumps: nothing is lost, nothing is doubled."""

from __future__ import annotations

import ast
import errno
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import psutil
import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import GraderError, UsageError
from softmarks.grading.classroom import grade_class
from softmarks.grading.judging import Override
from softmarks.grading.pools import on_this_machine
from softmarks.grading.workers import Worker
from softmarks.reporting import trail
from softmarks.reporting.forgetting import forget
from softmarks.reporting.recorded import read_overrides, read_verdicts
from softmarks.reporting.results import Results
from softmarks.submission.collecting import Submission, read_file
from softmarks.submission.reading import Source
from softmarks.verdict import Outcome
from tests.conftest import ROOT, TOY
from tests.reporting.made import make_verdict

SOFTMARKS = Path(sys.executable).with_name("softmarks")
STUDENTS = 6
COURSE = load_course(TOY)
REFERENCE = room(COURSE, TOY, "count_words").reference()


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A class: every second student is right."""
    folder = tmp_path_factory.mktemp("class")
    for number in range(STUDENTS):
        program = REFERENCE if number % 2 else "def count_words(text):\n    return {}\n"
        (folder / f"s{number}").mkdir()
        (folder / f"s{number}" / "count_words.py").write_text(f"{program}\n# {number}\n")
    return folder


def grade(work, results, *more, status=0, **settings):
    """Grade the class, and what was said."""
    words = [SOFTMARKS, "grade", work, "-o", results, "--course", TOY, "--only", "count_words", *more]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, **settings)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return " ".join((done.stdout + done.stderr).split())


def softmarks(*words, status=0):
    done = subprocess.run([SOFTMARKS, *map(str, words), "--course", TOY], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr


def marks(results):
    return {
        (verdict.student, one.exercise): one.points
        for verdict in read_verdicts(results)
        for one in verdict.exercises
    }


@pytest.fixture(scope="module")
def whole(work, tmp_path_factory):
    """What an undisturbed run gives."""
    results = tmp_path_factory.mktemp("whole") / "results"
    grade(work, results)
    return results


@pytest.fixture
def results(whole, tmp_path):
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "results"))


def nothing_half_written(results):
    """Every verdict can be read, and no file is left that was not written to its end."""
    assert [path.name for path in results.rglob("*") if path.name.endswith(".part")] == []
    for path in (results / "verdicts").glob("*.json"):
        json.loads(path.read_text())


@pytest.fixture
def small(tmp_path):
    """A small disk of its own; call it with a size, again for another one, or with "ro"."""
    disk = tmp_path / "small"
    disk.mkdir()

    def sized(option):
        again = ["remount"] if disk.is_mount() else []
        options = ",".join([*again, option if option == "ro" else f"size={option}"])
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk], capture_output=True)
        if done.returncode:
            pytest.skip("no disk can be mounted here")
        return disk

    yield sized
    if disk.is_mount():
        subprocess.run(["umount", "--lazy", disk], check=True)


# disks


def test_a_full_disk_while_results_are_written(work, whole, small):
    """It is told; what was written is whole and stays; with more room the same command goes on."""
    results = small("72k") / "results"
    said = grade(work, results, "--workers", 1, status=2)
    assert "no space left on device" in said
    assert "make room" in said
    nothing_half_written(results)
    kept = {path: path.read_bytes() for path in (results / "verdicts").iterdir()}
    assert 0 < len(kept) < STUDENTS
    small("4m")
    grade(work, results)
    assert marks(results) == marks(whole)
    assert {path: path.read_bytes() for path in kept} == kept
    assert len(list((results / "feedback").iterdir())) == 2 * STUDENTS


def test_a_disk_that_nobody_may_write_to(work, whole, small):
    """Nothing is graded for nothing: it is told at once; what is there can be read."""
    shutil.copytree(whole, small("4m") / "results")
    results = small("ro") / "results"
    assert "Choose a folder that can be written" in grade(work, results, status=2)
    _, said = softmarks(
        "override", results, "s0", "count_words", "--points", 1, "--reason", "x", "--by", "Kim", status=2
    )
    assert "no results can be written" in said
    assert marks(results) == marks(whole)


@pytest.mark.long
def test_no_room_for_the_files_of_programs(work, whole, small, tmp_path):
    """It is the machine's fault, and told before anybody's program runs into it."""
    disk = small("8m")
    said = grade(work, tmp_path / "results", status=3, env={**os.environ, "TMPDIR": str(disk)})
    assert "less than 64 MiB are free" in said
    assert "set TMPDIR" in said
    small("200m")
    grade(work, tmp_path / "results", env={**os.environ, "TMPDIR": str(disk)})
    assert marks(tmp_path / "results") == marks(whole)


def test_what_a_killed_run_was_writing_is_taken_away(whole, results):
    """The next run on the folder does so."""
    for folder in (results, results / "verdicts", results / "feedback"):
        (folder / ".0123456789abcdef.part").write_text("{")
    with Results(results, COURSE, []):
        nothing_half_written(results)
    assert marks(results) == marks(whole)


def test_a_folder_that_vanishes(tmp_path):
    """It is told where nothing could be written; nothing is put elsewhere."""
    results = tmp_path / "results"
    with Results(results, COURSE, []) as written:
        written.add(make_verdict("Ada"))
        shutil.rmtree(results)
        with pytest.raises(UsageError, match="no such file or directory"):
            written.add(make_verdict("Bob"))
    assert not results.exists()


def test_two_runs_on_one_folder(work, results):
    """The second one is refused, whatever it would do there."""
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    with Results(results, COURSE, []):
        assert "another run is writing its results here" in grade(work, results, status=2)
        _, said = softmarks("regrade", results, "--yes", status=2)
        assert "another run" in said
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before


# descriptors and processes


@pytest.mark.long
def test_few_files_may_be_open(work, whole, tmp_path):
    """It is told how many are needed; where they are allowed, the same command grades."""

    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    said = grade(work, tmp_path / "results", status=3, preexec_fn=few)
    assert "a process may open 64 files here" in said
    assert "ulimit -n" in said
    grade(work, tmp_path / "results")
    assert marks(tmp_path / "results") == marks(whole)


class Silent:
    def started(self, student):
        pass

    def finished(self, student, verdict):
        pass


def test_no_worker_can_take_the_place_of_a_dead_one(monkeypatch):
    """The run stops with what to do. What had a verdict keeps it, and nobody else gets one."""
    source = Source("count_words", REFERENCE, "count_words.py", (), cells=(REFERENCE,))
    submissions = [Submission(f"s{i}", {"count_words": source}, "", (), ()) for i in range(4)]
    written, started = [], []
    original = Worker.__init__

    def only_the_first_starts(worker, *args, **kwargs):
        started.append(worker)
        if len(started) > 1:
            monkeypatch.setattr(subprocess, "Popen", full)
        original(worker, *args, **kwargs)

    def full(*_args, **_settings):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    def done(verdict):
        written.append(verdict)
        started[0].process.kill()

    monkeypatch.setattr(Worker, "__init__", only_the_first_starts)
    with (
        pytest.raises(GraderError, match=r"no process can be started.*too many open files.*ulimit -n"),
        on_this_machine(1) as (pool, at_once),
    ):
        grade_class(submissions, COURSE, TOY, pool, at_once, trust=True, progress=Silent(), done=done)
    assert [verdict.exercises[0].status for verdict in written] in (
        ["graded"],
        ["graded"] * 2,
    )  # the kill may come late


def test_work_that_cannot_be_read_for_want_of_descriptors(work, monkeypatch):
    """It is not the file's fault: nobody's work becomes ungradable by it."""

    def full(*_args, **_settings):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(GraderError, match="too many open files"):
        read_file(work / "s0" / "count_words.py", COURSE.exercise("count_words"))


def test_a_worker_that_dies_in_the_middle_of_its_answer(toy_room):
    """Half an answer is none: the worker counts as dead."""
    with Worker(TOY, "optional") as worker:
        worker.wait()
        worker.stream.close()
        worker.stream = io.StringIO('{"verdict": {"exercise": "count_wo')
        with pytest.raises(GraderError, match="died"):
            worker._hear()


def hosts(worker):
    """The processes of programs under way."""
    (warm,) = psutil.Process(worker.process.pid).children()
    return warm.children()


def test_a_program_whose_process_is_killed_runs_again():
    """By a person, or a machine without memory: full marks all the same."""
    slow = f"import time\ntime.sleep(0.7)\n{REFERENCE}"
    killed = []
    with Worker(TOY, "required") as worker:
        worker.wait()

        def kill():
            end = time.monotonic() + 20
            while not killed and time.monotonic() < end:
                for host in hosts(worker):
                    time.sleep(0.2)
                    host.kill()
                    killed.append(host.pid)
                    return
                time.sleep(0.01)

        killer = threading.Thread(target=kill)
        killer.start()
        verdict = worker.mark("count_words", [slow])
        killer.join()
    assert killed
    assert verdict.full_marks, verdict.checks


def test_a_program_that_kills_its_process_is_to_blame():
    """It is run again and ends in the same way: nobody else did it."""
    program = f"import os, signal\nos.kill(os.getpid(), signal.{signal.SIGKILL.name})\n"
    with Worker(TOY, "required") as worker:
        verdict = worker.mark("count_words", [program])
    assert (verdict.status, verdict.points) == ("graded", 0)
    assert verdict.checks[0].outcome is Outcome.KILLED


# clocks


def test_no_limit_rests_on_the_time_of_day():
    """What measures how long something took is a clock that nobody can set."""
    for part in ("sandbox", "grading"):
        for path in (ROOT / "src" / "softmarks" / part).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    assert (node.value.id, node.attr) not in (("time", "time"), ("time", "time_ns")), path


def test_a_clock_that_went_back(work, results):
    """A verdict of tomorrow stays as it is: whether it still holds does not depend on when it was made."""
    path = results / "verdicts" / "s1.json"
    record = json.loads(path.read_text()) | {"graded_at": "2099-01-01T00:00:00Z"}
    path.write_text(json.dumps(record, indent=2) + "\n")
    before = path.read_bytes()
    grade(work, results)
    assert path.read_bytes() == before


# the audit trail


def give(results, *points):
    """Somebody gives marks."""
    with Results(results, COURSE, []) as written:
        written.give([mark(each) for each in points])


def mark(points):
    return Override(
        student="s0", exercise="count_words", points=Decimal(points), reason="so", by="Kim",
        at=datetime(2026, 11, 30, tzinfo=UTC),
    )  # fmt: skip


def lines(results):
    return [json.loads(line) for line in (results / trail.TRAIL).read_text().splitlines()]


@pytest.mark.parametrize("cut", [1, 5, 60, 130])
def test_a_line_that_was_cut_off(results, cut):
    """It does not count; the next event keeps it apart, and stands in a line of its own."""
    give(results, 2)
    before = (results / trail.TRAIL).read_bytes()
    give(results, 1)
    path = results / trail.TRAIL
    broken = path.read_bytes()[: -1 - cut]
    path.write_bytes(broken)
    assert [one.points for one in read_overrides(results)] == [2]
    give(results, 3)
    assert path.read_bytes().startswith(before)
    assert [one["what"] for one in lines(results)] == ["override", "cut-off", "override"]
    assert lines(results)[1]["text"].encode() == broken[len(before) :]
    assert [one.points for one in read_overrides(results)] == [2, 3]


def test_whoever_looks_is_told_of_a_line_that_was_cut_off(results):
    """Until the next mark is given; the marks that were given before stay."""
    give(results, 2)
    path = results / trail.TRAIL
    broken = path.read_bytes() + b'{"what": "override", "student": "s1", "poi'
    path.write_bytes(broken)
    assert [one.points for one in read_overrides(results)] == [2]
    assert marks(results)["s0", "count_words"] == 2
    _, said = softmarks("review", results, "--by", "Kim")
    assert "the last line was cut off" in said
    assert "give it again" in said
    assert path.read_bytes() == broken
    override = ("override", results, "s0", "count_words", "--points", 3, "--reason", "so", "--by", "Kim")
    assert "the last line was cut off" in softmarks(*override)[1]
    assert softmarks("review", results, "--by", "Kim")[1] == ""
    assert marks(results)["s0", "count_words"] == 3


def test_grading_says_it_too(work, results):
    """And goes on."""
    (results / trail.TRAIL).write_text('{"what": "overr')
    assert "the last line was cut off" in grade(work, results)


def test_a_line_that_only_lacks_its_end_counts(results):
    """It is all there; the next one is not glued to it."""
    give(results, 2)
    path = results / trail.TRAIL
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert [one.points for one in read_overrides(results)] == [2]
    give(results, 1)
    assert [one.points for one in read_overrides(results)] == [2, 1]
    assert len(lines(results)) == 2


def test_blocks_of_zeros_at_the_end_are_no_line(results):
    """What some file systems leave of a line when the power fails."""
    give(results, 2)
    with (results / trail.TRAIL).open("ab") as file:
        file.write(bytes(300))
    assert [one.points for one in read_overrides(results)] == [2]
    give(results, 1)
    assert [one["what"] for one in lines(results)] == ["override", "cut-off", "override"]


def test_a_broken_line_in_the_middle_is_refused(results):
    """No power failure made it: a mark may have been there."""
    give(results, 2)
    path = results / trail.TRAIL
    path.write_bytes(b'{"what": "overr\n' + path.read_bytes())
    with pytest.raises(UsageError, match=r"audit-trail\.jsonl:1: this line cannot be read"):
        read_overrides(results)


def test_a_full_disk_while_a_mark_is_kept(results, monkeypatch):
    """All of it or nothing: the trail is as it was."""
    with Results(results, COURSE, []) as written:
        written.give([mark(2)])
        before = (results / trail.TRAIL).read_bytes()

        def full(_handle):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(UsageError, match="no space left on device"):
                written.give([mark(1), mark(3)])
        assert (results / trail.TRAIL).read_bytes() == before
        nothing_half_written(results)


def test_who_is_forgotten_is_forgotten_in_pieces_too(results):
    """A piece of a line may hold half a name."""
    give(results, 2)
    with (results / trail.TRAIL).open("a") as file:
        file.write('{"what": "override", "student": "s0')
    give(results, 1)
    with (results / trail.TRAIL).open("a") as file:
        file.write('{"what": "override", "student": "s')
    forget(results, "s0", None)
    text = (results / trail.TRAIL).read_text()
    assert '"s' not in text.replace('"student"', "").replace('"so"', "")
    assert len(lines(results)) == 3


def test_what_was_noted_is_not_noted_again(results):
    """What changes is noted before it is written: a regrade that was stopped between the two is run again."""
    change = {"what": "regrade", "student": "s0", "exercise": "count_words", "before": 1.0, "now": 2.0}
    other = change | {"student": "s1"}
    with Results(results, COURSE, []) as written:
        written.note_once([change, other])
        written.note_once([change])
        assert len(lines(results)) == 2
        written.note_once([change | {"before": 2.0, "now": 1.0}])  # and back: the first is news once more
        written.note_once([change])
    assert len(lines(results)) == 4
