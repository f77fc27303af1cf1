"""What goes wrong on our side is never a student's zero."""

import os
import shutil
import signal
import tempfile
import threading
from types import SimpleNamespace

import psutil
import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import GraderError, NotConfined, UsageError
from softmarks.grading.assertions import assert_unmodified
from softmarks.grading.classroom import grade_class
from softmarks.grading.pools import on_this_machine
from softmarks.grading.workers import Worker
from softmarks.submission.collecting import Submission
from softmarks.submission.reading import Source
from tests.conftest import TOY


@pytest.fixture
def broken(tmp_path):
    """A copy of the toy course, to be broken."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root)
    return root


BREAKS = {
    "does not import": "import no_such_module\n",
    "has no checks": '"""Empty."""\n',
    "has a check without a kind": "def test_a(student):\n    student.count_words('a')\n",
    "raises by itself": "import pytest\n@pytest.mark.behaviour\ndef test_a(student):\n    1 / 0\n",
    "needs what is not there": (
        "import pytest\n@pytest.mark.behaviour\n@pytest.mark.needs('test_b')\n"
        "def test_a(student):\n    pass\n"
    ),
    "skips": "import pytest\n@pytest.mark.behaviour\ndef test_a(student):\n    pytest.skip('later')\n",
    "compares a handle": (
        "import pytest\nfrom softmarks.testing import read\n@pytest.mark.behaviour\n"
        "def test_a(student):\n    assert read(student, 'count_words') == 3\n"
    ),
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_broken_suite_gives_no_mark(broken, toy_room, how):
    """A suite that fails by itself ends as a grader-error without points, and says where."""
    (broken / "graders/1_text/count_words/test_hidden.py").write_text(BREAKS[how])
    with Worker(broken, "optional") as worker:
        verdict = worker.mark("count_words", [toy_room("count_words").reference()])
    assert (verdict.status, verdict.points) == ("grader-error", None)
    assert verdict.note


@pytest.mark.parametrize(
    "text", ["import no_such_module\n", "ALPHABET = (\n", "raise ValueError('broken')\n"]
)
def test_given_code_that_does_not_load_is_nobodys_mistake(broken, toy_room, text):
    """It is told with its name; a program that does not need it has no mark either."""
    (broken / "solutions/1_text/building_blocks.py").write_text(text)
    with Worker(broken, "optional") as worker:
        for source in (toy_room("caesar").reference(), "x = 1\n"):
            verdict = worker.mark("caesar", [source])
            assert (verdict.status, verdict.points) == ("grader-error", None)
            assert "building_blocks, which is given, cannot be loaded" in verdict.note


def test_given_code_with_a_byte_order_mark(broken, toy_room):
    """As an editor on Windows saves it."""
    path = broken / "solutions/1_text/building_blocks.py"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with Worker(broken, "optional") as worker:
        assert worker.mark("caesar", [toy_room("caesar").reference()]).full_marks


def test_a_suite_that_changes_while_a_worker_lives(broken, toy_room):
    """What is known of mistakes goes with the suite: one mistake stays one, and has its name."""
    place = toy_room("caesar")
    wrong = next(one for one in place.misconceptions() if one.id == "capitals-lost")
    program = wrong.apply(place.reference())
    with Worker(broken, "optional") as worker:
        before = worker.mark("caesar", [program])
        suite = broken / "graders/1_text/caesar/test_hidden.py"
        more = (
            "\n\n@pytest.mark.behaviour\ndef test_one_more(student):\n"
            '    """A capital stays one."""\n    assert_equal(student.encode("A", 1), "B")\n'
        )
        suite.write_text(suite.read_text() + more)
        after = worker.mark("caesar", [program])
    assert [len(one.messages) for one in (before, after)] == [1, 1]
    assert "test_one_more" in {check.name for check in after.checks if check.points < check.max_points}
    assert after.messages[0].says == before.messages[0].says != ""


def test_a_wrong_course_stops_a_worker_with_one_line(broken):
    """A worker whose course.yml is wrong says so, as a usage error."""
    (broken / "course.yml").write_text("id: [")
    with Worker(broken, "optional") as worker, pytest.raises(UsageError, match=r"course\.yml"):
        worker.wait()


def test_a_dead_worker_says_so(toy_room):
    """A worker that is killed is a grader's error, at once."""
    with Worker(TOY, "optional") as worker:
        worker.wait()
        worker.process.kill()
        with pytest.raises(GraderError, match="died"):
            worker.mark("count_words", [toy_room("count_words").reference()])


def test_a_killed_warm_process_is_replaced(toy_room):
    """When the process that forks hosts is killed, between two programs or in one, marks stay right."""
    right = toy_room("count_words").reference()
    with Worker(TOY, "required") as worker:
        assert worker.mark("count_words", [right]).full_marks
        worker_process = psutil.Process(worker.process.pid)
        (warm,) = worker_process.children()
        warm.kill()
        assert worker.mark("count_words", [right]).full_marks
        (warm,) = worker_process.children()
        killer = threading.Timer(0.4, warm.kill)
        killer.start()
        slow = "import time\ntime.sleep(0.8)\n" + right
        verdict = worker.mark("count_words", [slow])
        killer.join()
        assert verdict.full_marks, verdict.note


class Silent:
    def started(self, student):
        pass

    def finished(self, student, verdict):
        pass


class KillsAWorker(Silent):
    """Ends every grading process of the run, once, in the middle of it."""

    def __init__(self, monkeypatch):
        self.workers = []
        self.killed = False
        original = Worker.__init__

        def remember(worker, *args, **kwargs):
            original(worker, *args, **kwargs)
            self.workers.append(worker)

        monkeypatch.setattr(Worker, "__init__", remember)

    def started(self, student):
        if student == "s2" and not self.killed:
            self.killed = True
            for worker in list(self.workers):
                worker.process.kill()


def test_a_worker_killed_half_way_costs_nobody_a_mark(toy_room, monkeypatch):
    """Every submission of the class has its right verdict though the workers are killed."""
    course = load_course(TOY)
    reference = room(course, TOY, "count_words").reference()
    source = Source("count_words", reference, "count_words.py", (), cells=(reference,))
    submissions = [Submission(f"s{i}", {"count_words": source}, "", (), ()) for i in range(5)]
    written = []
    with on_this_machine(2) as (pool, at_once):
        verdicts = grade_class(
            submissions, course, TOY, pool, at_once,
            trust=False, progress=KillsAWorker(monkeypatch), done=written.append,
        )  # fmt: skip
    assert [verdict.student for verdict in verdicts] == ["s0", "s1", "s2", "s3", "s4"]
    assert all(verdict.exercises[0].full_marks for verdict in verdicts)
    assert sorted(verdict.student for verdict in written) == ["s0", "s1", "s2", "s3", "s4"]
    assert all(verdict.exercises[1].status == "missing" for verdict in verdicts)


def test_without_a_wall_other_peoples_work_is_not_graded(monkeypatch):
    """Where the wall cannot be built, grading a class is refused with what to do; trusting is a choice."""
    heard = {"ready": True, "confined": False, "rung": "none", "why": "this kernel has no Landlock"}
    monkeypatch.setattr(Worker, "_hear", lambda _worker: heard)
    with (
        Worker(TOY, "proved") as worker,
        pytest.raises(NotConfined, match=r"no Landlock.*--trust-submissions"),
    ):
        worker.wait()
    with Worker(TOY, "optional") as worker:
        worker.wait()


class Interrupts(Silent):
    """Ctrl-C as soon as the second submission is begun."""

    def started(self, student):
        if student == "s1":
            os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def interruptible():
    """Ctrl-C raises here, even when the tests run in the background of a shell that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_leaves_nothing_behind(monkeypatch, tmp_path, interruptible):
    """A class run that is interrupted ends its processes and removes its scratch folders."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    course = load_course(TOY)
    endless = "def count_words(text):\n    while True: pass\n"
    source = Source("count_words", endless, "count_words.py", (), cells=(endless,))
    submissions = [Submission(f"s{i}", {"count_words": source}, "", (), ()) for i in range(3)]
    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(KeyboardInterrupt), on_this_machine(1) as (pool, at_once):
        grade_class(
            submissions, course, TOY, pool, at_once,
            trust=True, progress=Interrupts(), done=lambda _verdict: None,
        )  # fmt: skip
    new = set(psutil.Process().children(recursive=True)) - before
    assert not psutil.wait_procs(new, timeout=5)[1]
    assert list(tmp_path.glob("softmarks-*")) == []


def test_a_suite_is_told_what_assert_unmodified_takes():
    """A dict cannot be compared there: that is the suite's mistake, and no student's."""
    with pytest.raises(TypeError, match="takes tensors, not a dict"):
        assert_unmodified(SimpleNamespace(inputs_after=()), {"a": 1})
