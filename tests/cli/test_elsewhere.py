"""A learner's machine that lacks something: all goes on, and it is said what is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from softmarks.course.working_copy import begin
from tests.cli.screen import Terminal
from tests.conftest import TOY

PROGRAM = str(Path(sys.executable).with_name("softmarks"))
LACKS = {
    "fork": "import os\ndel os.fork\n",
    "wall": (
        "from softmarks.sandbox.client import Warm\n"
        "whole = Warm.wait\n"
        "def wait(self):\n"
        "    whole(self)\n"
        "    self.confined, self.rung, self.why = False, 'none', 'this kernel has no Landlock'\n"
        "Warm.wait = wait\n"
    ),
    "jupyter": (
        "import sys\n"
        "for name in ('IPython', 'ipykernel', 'nbformat', 'nbgrader', 'jupytext', 'matplotlib'):\n"
        "    sys.modules[name] = None\n"
    ),
}


@pytest.fixture(params=["fork", "wall", pytest.param("jupyter", marks=pytest.mark.long)])
def machine(request, tmp_path, toy):
    """A working copy on a machine that lacks something: run a command there; its status and what it said."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(LACKS[request.param])
    begin(toy, TOY, tmp_path / "copy", None, str(TOY))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=tmp_path / "copy",
            env=environment,
            capture_output=True,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # as behind an & in a script
        )
        assert "Traceback" not in done.stderr
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    run.lacks, run.copy, run.environment = request.param, tmp_path / "copy", environment
    return run


def test_the_whole_evening_works(machine, toy_room):
    """Check names the mistake and passes what is right; hint, show and submit do what they do elsewhere."""
    place = toy_room("caesar")
    own = machine.copy / "1_text" / "caesar.py"
    wrong = place.misconceptions()[0]
    own.write_text(wrong.apply(place.reference()))
    status, said = machine("check", "caesar")
    assert (status, wrong.says.split(".")[0].replace("`", "") in said.replace("│ ", "")) == (1, True)
    assert ("Run unconfined" in said) == (machine.lacks in ("fork", "wall"))
    assert "Hints are free" in machine("hint", "caesar")[1]
    assert "has no picture" in machine("show", "caesar")[1]
    own.write_text(place.reference())
    status, said = machine("check", "caesar")
    assert (status, "checks passed" in said) == (0, True)
    assert machine("submit", "1_text", "--id", "ada")[0] == 0
    assert machine("submit", "--inspect", "ada_1_text.zip")[0] == 0


def test_a_saved_file_is_checked(machine, toy_room, monkeypatch):
    """watch tells the mistake and then that it is gone."""
    place = toy_room("count_words")
    monkeypatch.setenv("PYTHONPATH", machine.environment["PYTHONPATH"])
    terminal = Terminal([PROGRAM, "watch"], machine.copy)
    terminal.see("0 of 3 done", "q quit")
    own = machine.copy / "1_text" / "count_words.py"
    own.write_text(place.misconceptions()[0].apply(place.reference()))
    terminal.see("means", place.misconceptions()[0].says.split("`")[0])
    own.write_text(place.reference())
    terminal.see("1 of 3 done", "Done. n goes on to the next exercise.")
    terminal.press("q")
    assert terminal.leave() == 0
    assert "Traceback" not in terminal.written


def test_the_doctor_says_what_is_missing(machine):
    """In words, with what that means."""
    status, said = machine("doctor")
    assert status == 0
    assert {
        "fork": "unconfined: this system cannot fork processes",
        "wall": "unconfined: this kernel has no Landlock",
        "jupyter": "no notebook here; terminals and .py files work",
    }[machine.lacks] in said


def test_other_peoples_work_waits_for_a_wall(machine, toy_room):
    """Without a wall nothing of a class is graded, unless one insists."""
    answer = machine.copy / "answer.py"
    answer.write_text(toy_room("caesar").reference())
    status, said = machine("mark", "caesar", "answer.py", "--course", str(TOY))
    if machine.lacks == "jupyter":
        assert status == 0
    else:
        assert (status, "cannot be confined here" in said) == (3, True)
        assert machine("mark", "caesar", "answer.py", "--course", str(TOY), "--trust-submissions")[0] == 0


def test_a_program_that_hangs_is_stopped_without_a_fork(machine, toy_room):
    """What it printed is shown, and the next check goes on."""
    if machine.lacks != "fork":
        pytest.skip("hosts are ended from outside, which other tests see")
    own = machine.copy / "1_text" / "caesar.py"
    own.write_text("def encode(text, shift):\n    print('here')\n    while True:\n        pass\n")
    status, said = machine("check", "caesar")
    assert status == 1
    assert "ran out of time" in said
    assert "printed here" in said.replace("│ ", "")
