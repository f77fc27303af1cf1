"""`softmarks debug` and `softmarks doctor`, and annotations on a page of GitHub's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from softmarks.course.working_copy import begin
from softmarks.verdict import Outcome
from tests.conftest import ROOT, TOY
from tests.reporting.made import HOSTILE, make_check, make_exercise, make_message

PROGRAM = str(Path(sys.executable).with_name("softmarks"))


@pytest.fixture
def copy(tmp_path, toy):
    """A working copy of the toy course."""
    return begin(toy, TOY, tmp_path / "copy", None, str(TOY)).folder


def softmarks(folder: Path, *words: str, typed: str = "") -> tuple[int, str]:
    """Run a command with what a person types: its status, and all that it said."""
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(
        [PROGRAM, *words], cwd=folder, input=typed, capture_output=True, text=True, env=environment
    )
    return done.returncode, done.stdout + done.stderr


# debug


def stopping(program: str) -> str:
    """A program with a breakpoint in its first function."""
    return re.sub(r"(def encode\(.*?\n)(\s+)", r"\1\2breakpoint()\n\2", program, count=1)


def test_a_breakpoint_is_met(copy, toy_room):
    """With the values of the call, in the file that one edits; leaving the debugger ends it all."""
    own = copy / "1_text" / "caesar.py"
    own.write_text(stopping("def encode(text, shift):\n    return text\n"))
    status, said = softmarks(copy, "debug", "caesar", typed="p len(text)\nq\n")
    assert status == 1
    assert f"{own}(3)encode()" in said
    assert re.search(r"\(Pdb\) \d+\n", said)
    assert said.count("(Pdb)") == 2
    assert "the debugger was left" in said


def test_a_breakpoint_that_was_left_stops_no_check(copy, toy_room):
    """Whoever is looking for a mistake saves often, and watch checks each time."""
    (copy / "1_text" / "caesar.py").write_text(stopping(toy_room("caesar").reference()))
    assert "breakpoint()" in (copy / "1_text" / "caesar.py").read_text()
    assert softmarks(copy, "check", "caesar")[0] == 0


def test_what_is_raised_is_shown_where_it_is_raised(copy, toy_room):
    """The frames of one's own file, nothing of the engine's; what was printed is there."""
    (copy / "1_text" / "caesar.py").write_text(
        "def encode(text, shift):\n    print('so far')\n    return helper(text)\n\n\n"
        "def helper(text):\n    return text + 1\n"
    )
    status, said = softmarks(copy, "debug", "caesar")
    assert status == 1
    assert "so far" in said
    assert "1_text/caesar.py:3: in encode" in said
    assert "1_text/caesar.py:7: in helper" in said
    assert "TypeError" in said
    assert "softmarks/" not in said


def test_one_check_alone(copy, toy_room):
    """By its name; a right answer exits 0; a name that is none is told."""
    (copy / "1_text" / "caesar.py").write_text(toy_room("caesar").reference())
    checks = re.findall(r"^def (test_\w+)", toy_room("caesar").public.read_text(), re.M)
    status, said = softmarks(copy, "debug", "caesar", checks[0])
    assert (status, "1 passed" in said) == (0, True)
    assert f"{checks[0]}: " in said
    status, said = softmarks(copy, "debug", "caesar", "test_nothing")
    assert (status, checks[0] in said) == (2, True)


def test_what_cannot_be_debugged(copy):
    """A notebook, and what is not there."""
    (copy / "1_text" / "caesar.py").unlink()
    assert softmarks(copy, "debug", "caesar")[0] == 2
    (copy / "1_text" / "caesar.ipynb").write_text("{}")
    status, said = softmarks(copy, "debug", "caesar")
    assert (status, "a notebook is debugged where it runs" in said) == (2, True)


# doctor


def test_a_machine_that_is_fine(copy):
    """What is there, with versions; nothing has to be done."""
    status, said = softmarks(copy, "doctor")
    assert status == 0
    for words in ("Python", "toy 1.0, self-study", str(copy.name), "wall"):
        assert words in said
    assert "✗" not in said


def test_nothing_of_the_folder_is_imported(tmp_path):
    """Work to look at may hold a torch.py: none of it is run by looking."""
    for name in ("torch", "json", "softmarks"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w').close()\n")
    status, said = softmarks(tmp_path, "doctor", "--course", str(ROOT))
    assert status == 0
    assert "CPU" in said
    assert not (tmp_path / "imported").exists()


def test_a_place_without_a_course(tmp_path):
    """It is told how to come to one."""
    (tmp_path / "empty").mkdir()
    status, said = softmarks(tmp_path / "empty", "doctor", "--course", "nowhere")
    assert (status, 'there is no course "nowhere"' in said) == (1, True)


def test_a_file_that_is_odd(copy):
    """How it would be read, what would be repaired, what is missing."""
    (copy / "caesar.py").write_bytes(b"\xef\xbb\xbfdef encode(text, shift):\n    return (text\n")
    status, said = softmarks(copy, "doctor", "caesar.py")
    said = " ".join(said.split())
    assert status == 1
    assert "repaired: read as UTF-8 with a byte order mark" in said
    assert "'(' was never closed, line 2" in said
    assert "it does not define decode" in said


def test_a_zip_is_looked_into(copy, toy_room):
    """Each file of it, and those that belong to no exercise."""
    with zipfile.ZipFile(copy / "mine.zip", "w") as archive:
        archive.writestr("caesar.py", toy_room("caesar").reference())
        archive.writestr("notes_of_mine.py", "x = 1")
    status, said = softmarks(copy, "doctor", "mine.zip")
    said = " ".join(said.split())
    assert "✓ caesar caesar.py: a program" in said
    assert "notes_of_mine.py belongs to no exercise" in said
    assert status == 0
    assert softmarks(copy, "doctor", "nothing.py")[0] == 2


# annotations


def test_a_failure_is_marked_in_the_file(copy, toy_room):
    """At the line that raised, else at the definition that was asked; text is printed as always."""
    own = copy / "1_text" / "caesar.py"
    own.write_text(
        "import math\n\n\ndef encode(text, shift):\n    return 1 / 0\n\n\n"
        "def decode(text, shift):\n    return ''\n"
    )
    status, said = softmarks(copy, "check", "caesar", "--format", "github")
    assert status == 1
    marked = re.findall(r"^::error file=1_text/caesar.py,line=(\d+),title=([^:]+)::(.+)$", said, re.M)
    assert ("5", "To repair") in [(line, title) for line, title, _ in marked]
    assert all("\n" not in body for _, _, body in marked)
    assert "ZeroDivisionError" in said
    own.write_text(toy_room("caesar").reference())
    status, said = softmarks(copy, "check", "caesar", "--format", "github")
    assert (status, "::error" in said) == (0, False)


def test_a_definition_is_marked_where_nothing_was_raised():
    """The function that the check called; of a method its class; of nothing known the first line."""
    from softmarks.reporting.github import workflow_commands

    program = "x = 1\n\n\nclass Caesar:\n    pass\n"
    for asked, line in (("`Caesar(3)(text)`", 4), ("`other(3)`", 1)):
        message = make_message(asked=asked, difference="4 values differ")
        [command] = workflow_commands(make_exercise(messages=(message,), checks=()), "a.py", program)
        assert f"line={line}," in command


@pytest.mark.parametrize("text", [*HOSTILE, "a\n::set-env name=x::y", "%0A::error::x", "a,line=9::b"])
def test_no_text_makes_a_command(text):
    """Whatever a student wrote stays in the message of its own annotation."""
    from softmarks.reporting.github import workflow_commands

    message = make_message(mistake=text, asked=text, difference=text, says=text, hint=text, checks=())
    odd = make_check(text, Outcome.RAISED, says=text, message=text)
    verdict = make_exercise(messages=(message,), checks=(odd,))
    for command in workflow_commands(verdict, "dir/a,b:c.py", "x = 1"):
        assert command.isprintable()
        head, _, _ = command.removeprefix("::error ").partition("::")
        assert head.count(",") == 2
        assert head.startswith("file=dir/a%2Cb%3Ac.py,line=")


def test_what_looks_like_an_escape_is_one_no_more():
    """GitHub reads %0A as a new line, in which a student could write a command."""
    from softmarks.reporting.github import workflow_commands

    message = make_message(asked="", difference="%0A::error::x", says="", hint="")
    [command] = workflow_commands(make_exercise(messages=(message,), checks=()), "a.py", "")
    assert command.endswith("::%250A::error::x")
