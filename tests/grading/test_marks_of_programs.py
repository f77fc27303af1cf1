"""A program goes in, a verdict comes out: right ones, wrong ones, and those that try to look right."""

import shutil
from decimal import Decimal
from pathlib import Path

import psutil
import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import joined, room
from softmarks.grading.workers import Worker
from softmarks.verdict import Outcome
from tests.conftest import TOY


def outcomes(verdict):
    return {check.name: check.outcome for check in verdict.checks}


def test_right_answers_get_full_marks(toy_worker, toy_room):
    """The reference and every alternative pass everything."""
    place = toy_room("caesar")
    for source in [place.reference(), *(path.read_text() for path in place.alternatives)]:
        verdict = toy_worker.mark("caesar", [source])
        assert verdict.full_marks
        assert verdict.messages == ()
        assert verdict.confined


def test_points_add_up_in_print(toy_worker, toy_room):
    """The checks' points are the exercise's points, and so are the most that they could be."""
    place = toy_room("running_mean")
    verdict = toy_worker.mark("running_mean", [place.misconceptions()[0].apply(place.reference())])
    assert sum(check.points for check in verdict.checks) == verdict.points
    assert sum(check.max_points for check in verdict.checks) == verdict.max_points
    assert 0 < verdict.points < verdict.max_points


def test_an_untouched_stub_gets_nothing_and_one_message(toy_worker, toy_room):
    """Zero points, and one message that it is not written yet."""
    verdict = toy_worker.mark("count_words", [toy_room("count_words").stub.read_text()])
    assert verdict.points == Decimal("0.00")
    assert len(verdict.messages) == 1
    assert "not written yet" in verdict.messages[0].difference


def test_a_near_name_is_told(toy_worker, toy_room):
    """A function of another name is missing, and the one that looks like it is named."""
    source = toy_room("count_words").reference().replace("count_words", "count_word")
    verdict = toy_worker.mark("count_words", [source])
    assert verdict.points == 0
    assert set(outcomes(verdict).values()) <= {Outcome.MISSING, Outcome.NOT_REACHED}
    assert "yours has count_word" in verdict.messages[0].difference


def test_arguments_in_another_order_are_told_as_such(toy_worker, toy_room):
    """Before anything that follows from it, and as one thing to repair."""
    source = toy_room("caesar").reference().replace("def encode(text, shift)", "def encode(shift, text)")
    verdict = toy_worker.mark("caesar", [source])
    [message] = verdict.messages
    assert message.says == "encode should take (text, shift), in this order; yours takes (shift, text)."
    assert message.mistake is None
    assert len(message.checks) == message.failed


def test_a_name_that_changes_nothing_is_not_told(toy_worker, toy_room):
    """Parameters have another name, every call is by position, and something else is wrong."""
    place = toy_room("caesar")
    mistake = place.misconceptions()[0]
    source = mistake.apply(place.reference()).replace("shift", "steps")
    verdict = toy_worker.mark("caesar", [source])
    assert mistake.id in verdict.mistakes
    assert "should" not in verdict.messages[0].says


def test_one_known_mistake_beside_an_unknown_one(toy_worker, toy_room):
    """It is named, and it is said that it is not all; the rest has a message of its own."""
    place = toy_room("running_mean")
    known = next(item for item in place.misconceptions() if item.id == "zero-for-nothing")
    source = known.apply(place.reference()).replace("self.total / self.count", "self.total / self.count + 7")
    verdict = toy_worker.mark("running_mean", [source])
    assert verdict.mistakes == ("zero-for-nothing",)
    first, *others = verdict.messages
    assert first.says == f"At least two things are wrong. One of them: {known.says}"
    assert others
    assert not {check for message in others for check in message.checks} & set(first.checks)


def test_naming_can_be_turned_off(tmp_path):
    """One line of course.yml: the marks stay, the name goes."""
    root = shutil.copytree(TOY, tmp_path / "toy")
    course = root / "course.yml"
    course.write_text("name_mistakes: false\n" + course.read_text())
    place = room(load_course(root), root, "caesar")
    source = place.misconceptions()[0].apply(place.reference())
    with Worker(root, "required") as worker:
        verdict = worker.mark("caesar", [source])
    assert verdict.mistakes == ()
    assert 0 < verdict.points < verdict.max_points
    assert all(message.mistake is None for message in verdict.messages)


def test_a_syntax_error_is_told_with_its_line(toy_worker):
    """A program that cannot be read by Python gets no points and the line of its error."""
    verdict = toy_worker.mark("count_words", ["def count_words(text):\n    return {\n"])
    assert verdict.points == 0
    message = verdict.messages[0]
    assert "SyntaxError" in message.difference
    assert "your line 2" in message.difference


@pytest.mark.parametrize("exercise", ["count_words", "caesar", "running_mean"])
def test_every_pair_of_mistakes_is_told_soundly(toy_worker, toy_room, exercise):
    """With two mistakes at once, whatever is named is really there."""
    place = toy_room(exercise)
    reference, mistakes = place.reference(), place.misconceptions()
    exact = 0
    for index, one in enumerate(mistakes):
        for other in mistakes[index + 1 :]:
            both = joined([one, other], reference)
            if both is None:
                continue
            named = set(toy_worker.mark(exercise, [both]).mistakes)
            assert named <= {one.id, other.id}
            exact += named == {one.id, other.id}
    assert exact > 0 or exercise == "count_words"


CHEATS = {
    "an object equal to everything": (
        "class All:\n"
        "    def __eq__(self, other): return True\n"
        "    __ne__ = __lt__ = __gt__ = __bool__ = __sub__ = __eq__\n"
        "    __hash__ = object.__hash__\n"
        "def count_words(text): return All()\n"
    ),
    "a dict equal to everything": (
        "class All(dict):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "def count_words(text): return All()\n"
    ),
    "skipping": "import unittest\ndef count_words(text): raise unittest.SkipTest('skip')\n",
    "skipping by pytest": (
        "class Skipped(BaseException): pass\nSkipped.__module__ = '_pytest.outcomes'\n"
        "def count_words(text): raise Skipped('skip')\n"
    ),
    "leaving": "import sys\ndef count_words(text): sys.exit(0)\n",
    "leaving at once": "import os\nos._exit(0)\n",
    "patching": (
        "import builtins, unittest\nbuiltins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True\n"
        "unittest.TestCase.assertEqual = lambda *a: None\ndef count_words(text): return {}\n"
    ),
    "printing a verdict": (
        'print(\'{"verdict": {"points": 10}}\')\ndef count_words(text):\n'
        "    print('### BEGIN GRADE 500')\n    return {}\n"
    ),
    "writing a report": (
        "import json\nopen('.report.json', 'w').write(json.dumps({'tests': []}))\n"
        "def count_words(text): return {}\n"
    ),
    "answering on the wire": (
        "import os, struct\ndef count_words(text):\n"
        '    body = b\'{"id": 3, "value": {"dict": []}}\'\n'
        "    os.write(3, struct.pack('>II', len(body), 0) + body)\n    return {}\n"
    ),
    "nothing": "def count_words(text): return None\n",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheats_get_no_points(toy_worker, toy_room, cheat):
    """Wrong code that tries to pass keeps no more than an answer without thought; the next is right."""
    verdict = toy_worker.mark("count_words", [CHEATS[cheat]])
    assert verdict.status == "graded"
    assert verdict.points <= verdict.max_points / 5
    assert toy_worker.mark("count_words", [toy_room("count_words").reference()]).full_marks


def test_a_hang_in_one_function_keeps_the_marks_of_the_other(toy_worker, toy_room):
    """One function hangs: its checks time out or are not reached, those of the other keep their marks."""
    place = toy_room("caesar")
    tree = place.reference().replace("def decode(", "def decode(*_):\n    while True: pass\n\ndef _decode(")
    verdict = toy_worker.mark("caesar", [tree])
    ends = set(outcomes(verdict).values())
    assert Outcome.TIMED_OUT in ends
    assert Outcome.PASSED in ends
    assert 0 < verdict.points < verdict.max_points


def test_a_neighbour_changes_nothing(toy_worker, toy_room):
    """The verdict on a program is the same before and after one that crashes."""
    place = toy_room("running_mean")
    source = place.misconceptions()[2].apply(place.reference())
    before = toy_worker.mark("running_mean", [source])
    toy_worker.mark("running_mean", ["import ctypes\nctypes.string_at(0)\n"])
    assert toy_worker.mark("running_mean", [source]) == before


def test_module_work_that_fails_costs_only_what_follows_it(toy_worker, toy_room):
    """What was defined before a failing line still counts."""
    source = toy_room("count_words").reference() + "\nraise RuntimeError('too late')\n"
    assert toy_worker.mark("count_words", [source]).full_marks


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ("import matplotlib.pyplot as plt", "library, building_blocks. A helper stands in the file itself."),
        ("from .helper import *", "library, building_blocks. A helper stands in the file itself."),
        ("from building_blocks import nothing", "before anything of it is asked for."),
        ("1 / 0", "before anything of it is asked for."),
        ("def spare(:", ""),
    ],
)
def test_a_program_that_does_not_load_is_told_why(toy_worker, toy_room, line, means):
    """The error and its line; neither a call that did not happen, nor a rule, nor a hint for an answer."""
    verdict = toy_worker.mark("caesar", [f"{line}\n{toy_room('caesar').reference()}"])
    assert verdict.points == 0
    (told,) = verdict.messages
    assert f"(your line 1: {line})" in told.difference
    assert told.says.endswith(means)
    assert bool(told.says) is bool(means)
    assert (told.asked, told.hint) == ("", "")


@pytest.mark.parametrize("line", ["while True: pass", "import os; os._exit(0)"])
def test_a_program_that_ends_its_process_while_it_loads_is_told_so(toy_worker, line):
    """It is not for want of an idea: no rule, and no hint."""
    (told,) = toy_worker.mark("count_words", [line]).messages
    assert told.difference.startswith("your code did not answer")
    assert told.says == "It happens while your work is loaded, before anything of it is asked for."
    assert (told.asked, told.hint) == ("", "")


def test_a_main_block_is_not_run(toy_worker, toy_room):
    """An hour of work under `if __name__ == "__main__"` is not done here."""
    source = toy_room("count_words").reference() + "\nif __name__ == '__main__':\n    while True: pass\n"
    assert toy_worker.mark("count_words", [source]).full_marks


def test_building_blocks_can_be_imported(toy_worker, toy_room):
    """The assignment's given code is importable by its plain name, from the engine's own copy."""
    given = (toy_room("caesar").building_blocks).read_text()
    name = next(line.split()[1].split("(")[0] for line in given.splitlines() if line.startswith("def "))
    source = f"from building_blocks import {name}\n" + toy_room("caesar").reference()
    assert toy_worker.mark("caesar", [source]).full_marks


def test_public_checks_carry_no_points(toy_worker, toy_room):
    """The public suite says what passes, and what was printed, without points."""
    source = "def count_words(text):\n    print('looking at', text)\n    return {}\n"
    verdict = toy_worker.mark("count_words", [source], "public")
    assert verdict.max_points == 0
    assert any("looking at" in message.printed for message in verdict.messages)


def test_a_course_without_torch_needs_none(toy_worker, toy_room):
    """Neither the worker nor its warm process has loaded torch for a course that does not name it."""
    toy_worker.mark("count_words", [toy_room("count_words").reference()])
    pids = [toy_worker.process.pid]
    pids += [child.pid for child in psutil.Process(pids[0]).children(recursive=True)]
    assert len(pids) >= 2  # and what a box needs, where there is one
    for pid in pids:
        assert "libtorch" not in Path(f"/proc/{pid}/maps").read_text()


FORGED = {
    "keys that collide": '{"value": {"set": [k * (2**61 - 1) for k in range(1, 30000)]}}',
    "a number too large for its form": '{"value": 2**80}',
    "no answer at all": "{}",
    "raised nonsense": '{"raised": 5}',
    "raised endless words": '{"raised": {"type": "E" * 10**6, "message": "m" * 10**5}}',
    "missing nonsense": '{"missing": [1], "near": 7}',
    "gradients that nobody asked for": '{"value": 1, "input_gradients": 3, "parameter_gradients": 4}',
    "a handle that is none": '{"value": {"object": {"id": "1"}}}',
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_host_that_is_taken_over_gets_nothing(toy_worker, toy_room, forged):
    """A program that replaces the host's own answers gets no points, in few words; the next is right."""
    source = f"import softmarks.sandbox.host as h\nh.Host.call = lambda *_: ({FORGED[forged]}, [])\n"
    verdict = toy_worker.mark("count_words", [source])
    assert verdict.status == "graded"
    assert verdict.points == 0
    assert len(verdict.model_dump_json()) < 50_000
    assert toy_worker.mark("count_words", [toy_room("count_words").reference()]).full_marks


def test_a_long_program_in_another_script_is_read(toy_worker, toy_room):
    """A right answer with a megabyte of comments in Cyrillic gets full marks."""
    source = toy_room("count_words").reference() + "\n# " + "ж" * 500_000
    assert toy_worker.mark("count_words", [source]).full_marks


def test_an_exception_carries_little_out(toy_worker):
    """What a program puts into an exception reaches the feedback cut short."""
    source = "def count_words(text):\n    raise ValueError('x' * 1000)\n"
    verdict = toy_worker.mark("count_words", [source])
    assert "x" * 200 + "…" in verdict.messages[0].difference
    assert "x" * 201 not in verdict.model_dump_json()
