"""Suites called directly: the same record as pytest's in a host, and nothing of it stays."""

import sys
import time
from pathlib import Path

import pytest

from softmarks.course.rooms import room
from softmarks.errors import GraderError
from softmarks.grading import apart as apart_module
from softmarks.grading.apart import apart
from softmarks.grading.direct import play
from softmarks.grading.grader import Grader
from softmarks.grading.rehearsal import Rehearsal, cache_for
from softmarks.grading.signature import signature
from softmarks.sandbox.client import InProcess
from softmarks.verdict import Outcome
from tests.conftest import ROOT, TOY

LARGE = ("causal_attention", "multi_head_wrapper")


@pytest.fixture(scope="module")
def grader(own_cache):
    """A grader of the course in this process."""
    sys.path.insert(0, str(ROOT))
    grader = Grader(ROOT)
    grader.wait()
    yield grader
    grader.close()
    sys.path.remove(str(ROOT))


@pytest.fixture(scope="module")
def toy_grader(own_cache):
    """A grader of the toy course in this process."""
    grader = Grader(TOY)
    grader.wait()
    yield grader
    grader.close()


def same(grader, place, source):
    """Whether both ways give the same cases and conversations."""
    for suite in ("public", "hidden"):
        in_host = grader._run(place, (source,), suite, 3)
        here = grader._play(place, source, suite, 3)
        assert list(here.cases) == list(in_host.cases)
        for key, case in in_host.cases.items():
            own = {"printed": case.printed, "seconds": case.seconds}  # a host keeps what it prints
            assert here.cases[key].model_copy(update=own) == case
            assert signature(here.conversations[key]).same(signature(in_host.conversations[key])), key


@pytest.mark.parametrize("name", ["count_words", "caesar", "running_mean"])
def test_every_misconception_of_the_toy_course(toy_grader, toy, name):
    """Cases, messages and replies agree for the reference and for each misconception."""
    place = room(toy, TOY, name)
    reference = place.reference()
    for source in (reference, *(item.apply(reference) for item in place.misconceptions())):
        same(toy_grader, place, source)


@pytest.mark.parametrize(
    "name",
    ["attention_dropout", *(pytest.param(one, marks=pytest.mark.long) for one in LARGE)],
)
def test_modules_weights_and_random_numbers(grader, name):
    """So they do where weights are pushed, building blocks imported and seeds set."""
    place = room(grader.course, ROOT, name)
    reference = place.reference()
    for source in (reference, *(item.apply(reference) for item in place.misconceptions()[:6])):
        same(grader, place, source)


class Leaves:
    """A misconception that leaves something behind in its process."""

    def apply(self, solution):
        return solution + "\nsys.left = '?'\n"


def test_one_that_changes_what_others_meet(toy_grader, toy, tmp_path):
    """Misconceptions that are played in one copy fare as each does in a copy of its own."""
    place = room(toy, TOY, "caesar")
    toy_grader.mark("caesar", (place.reference(),))  # pytest knows the suite's marks from now on

    def play(source, only=None):
        return toy_grader._play(place, source, "hidden", 0, only)

    def rehearsal(cache):
        found = Rehearsal(place, 5, tmp_path / cache, play, pytest.fail)
        found.solution = "import sys\n" + found.solution.replace(
            'shifted = ""', 'shifted = getattr(sys, "left", "")'
        )
        found.mistakes["leaves"] = Leaves()
        return found

    together, one_by_one = rehearsal("together"), rehearsal("alone")
    together._play_in_one_copy(["leaves", *(item.id for item in place.misconceptions())])
    assert together.misconceptions() == {
        one: one_by_one.account(one).signatures for one in one_by_one.mistakes
    }
    assert not hasattr(sys, "left")


def test_what_is_done_apart_does_not_stay(tmp_path):
    """A copy may change anything, fail, end or hang: this process is as it was, and gets an answer."""
    changed = []

    def changes():
        changed.append(1)
        sys.modules["json_that_is_not_there"] = sys
        return {"here": Path.cwd().name, "numbers": [1, 2.5, None]}

    [answer] = apart([changes], 5)
    assert answer == {"here": Path.cwd().name, "numbers": [1, 2.5, None]}
    assert not changed
    assert "json_that_is_not_there" not in sys.modules


def test_one_that_fails_takes_no_other_along():
    """Each work has an answer of its own: None where it fails, ends the copy, or takes too long."""

    def burns():
        return all(True for _ in iter(int, 1))

    works = [lambda: 1, lambda: 1 / 0, sys.exit, lambda: 2, lambda: object(), burns, lambda: "last"]
    assert apart(works, 1) == [1, None, None, 2, None, None, "last"]


def test_one_that_waits_for_ever_is_ended(monkeypatch):
    """It uses no CPU seconds: after a while without a word its copy ends."""
    monkeypatch.setattr(apart_module, "IDLE", 0.3)
    monkeypatch.setattr(apart_module, "PATIENCE", 0)
    began = time.monotonic()
    assert apart([lambda: 1, lambda: time.sleep(60), lambda: 2], 5) == [1, None, 2]
    assert time.monotonic() - began < 30


FIXTURES = """
import pytest

@pytest.fixture
def ready(student, text):
    return student, text

@pytest.fixture
def text():
    return "abc"

@pytest.mark.behaviour
@pytest.mark.parametrize("shift", [1, 2])
def test_moves(ready, text, shift, student):
    program, given = ready
    assert given is text
    assert program.encode(given, shift) == "".join(chr(ord(letter) + shift) for letter in given)
"""


@pytest.fixture
def marks_of_a_suite(pytestconfig, monkeypatch):
    """Marks are those of these tests and of the toy course, whichever suite was collected here last."""
    pytestconfig.addinivalue_line("markers", "behaviour: a kind of the toy course")
    monkeypatch.setattr(pytest.mark, "_config", pytestconfig)


@pytest.mark.usefixtures("marks_of_a_suite")
def test_plain_fixtures_of_a_suite(toy_grader, toy, tmp_path):
    """They are made once a test, from the program and from each other."""
    (tmp_path / "test_public.py").write_text(FIXTURES)
    place, kinds = room(toy, TOY, "caesar"), {name: kind.needs for name, kind in toy.kinds.items()}
    program = toy_grader._program(place, (place.reference(),), 0, InProcess)
    record = play(tmp_path / "test_public.py", kinds, program)
    assert [case.outcome for case in record.cases.values()] == [Outcome.PASSED, Outcome.PASSED]


@pytest.mark.parametrize("fixture", ["def text():\n    yield 'abc'", "def other():\n    return 'abc'"])
@pytest.mark.usefixtures("marks_of_a_suite")
def test_what_only_pytest_can_give_is_refused(toy_grader, toy, tmp_path, fixture):
    """A fixture with an end, or from elsewhere: the suite is at fault, and no mistake is known wrongly."""
    (tmp_path / "test_public.py").write_text(FIXTURES.replace('def text():\n    return "abc"', fixture))
    place, kinds = room(toy, TOY, "caesar"), {name: kind.needs for name, kind in toy.kinds.items()}
    program = toy_grader._program(place, (place.reference(),), 0, InProcess)
    with pytest.raises(GraderError, match="asks for text"):
        play(tmp_path / "test_public.py", kinds, program)


@pytest.mark.parametrize("change", ["axes", "packages", "kinds", "limits", "seed"])
def test_what_is_kept_has_a_name_of_all_that_it_depends_on(toy, toy_room, change):
    """How authored programs fare is played anew where anything of it is another."""
    place = toy_room("caesar")

    def name(course=toy, limits=toy.limits, seed=0):
        return cache_for(place, place.hidden, course, limits, seed)

    others = {
        "axes": name(toy.model_copy(update={"axes": ("tokens",)})),
        "packages": name(toy.model_copy(update={"packages": ("pytest",)})),
        "kinds": name(toy.model_copy(update={"kinds": {}})),
        "limits": name(limits=toy.limits.model_copy(update={"cpu_seconds": 1.5})),
        "seed": name(seed=1),
    }
    assert others[change] != name() == name()
