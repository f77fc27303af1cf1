"""A new learner's evening, read from the screen of a terminal: from an empty folder to a zip to hand in."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import Room, room
from tests.conftest import ROOT, TOY

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)
pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from tests.cli.screen import COLUMNS, LINES, Terminal

SOFTMARKS = Path(sys.executable).with_name("softmarks")
KEYS = "h hint n next p previous l list s show r reset enter check q quit"


class Learner:
    """Somebody who has Softmarks, a folder, and a terminal."""

    def __init__(self, softmarks: Path, folder: Path, columns: int = COLUMNS, lines: int = LINES) -> None:
        self.softmarks = softmarks
        self.folder = folder
        self.size = {"columns": columns, "lines": lines}
        self.terminals: list[Terminal] = []

    def runs(self, *words: str) -> Terminal:
        """Begin `softmarks` with some words."""
        self.terminals.append(Terminal([self.softmarks, *words], self.folder, **self.size))
        return self.terminals[-1]

    def reads(self, *words: str) -> str:
        """What is on the screen when `softmarks` with some words has ended, which it does well."""
        terminal = self.runs(*words)
        assert terminal.leave() == 0, terminal.text
        return terminal.text

    def saves(self, place: Room, program: str) -> None:
        """Write an answer into an exercise's file."""
        (self.folder / f"{place.address}.py").write_text(program)


@pytest.fixture
def learner(wheels, tmp_path):
    """A learner with an empty folder."""
    return Learner(wheels.with_name("softmarks"), tmp_path)


@pytest.fixture(scope="module")
def place():
    """A room of the course by name: what it says is what the screen must show."""
    course = load_course(ROOT)
    return lambda name: room(course, ROOT, name)


def test_a_new_learners_evening(learner, place):
    """Start, be told of mistakes by name, solve two exercises, hand in: the screen tells all of it."""
    begins(learner)
    terminal = learner.runs("watch")
    first, second = place("context_vector"), place("all_context_vectors")
    terminal.see(first.exercise.title, f"0 of 20 done watching 2_simplified/context_vector.py {KEYS}")
    is_told(learner, terminal, first, "scores_divided_by_root", "3 of 5 checks passed")
    terminal.press("h")
    terminal.see("Hint 1 of 3", "Hints are free. h gives the next one.", KEYS)
    is_told(learner, terminal, first, "always_the_books_position", "your code raised IndexError")
    solves(learner, terminal, first, "1 of 20 done", "Why subtract the maximum?")
    terminal.press("n")
    terminal.see(second.exercise.title, f"1 of 20 done watching 2_simplified/all_context_vectors.py {KEYS}")
    is_told(learner, terminal, second, "softmax_down_the_columns", "wrong in 30 of 36 entries")
    solves(learner, terminal, second, "2 of 20 done", "Why it works.")
    terminal.press("q")
    assert terminal.leave() == 0
    hands_in(learner)
    all_is_shown_whole(learner)


def test_nothing_is_cut_in_a_small_terminal(tmp_path, toy_room):
    """80 columns are enough for every command: no line goes on below in the middle of a word."""
    learner = Learner(SOFTMARKS, tmp_path, columns=80, lines=24)
    terminal = learner.runs("start", "mine", "--course", str(TOY))
    terminal.see("all Everything. 3 exercises, about 0.6 hours", "Which track? (text, all) [text]:")
    terminal.press("\r")
    assert terminal.leave() == 0, terminal.text
    learner.folder /= "mine"
    learner.saves(toy_room("caesar"), toy_room("caesar").reference())
    for words in ("", "read caesar", "hint caesar", "check", "submit 1_text --id ada17"):
        learner.reads(*words.split())
    learner.reads("submit", "--inspect", "ada17_1_text.zip")
    all_is_shown_whole(learner)


def all_is_shown_whole(learner: Learner) -> None:
    """No line was wider than the terminal, nobody has seen a traceback, and one has all checks there are."""
    for terminal in learner.terminals:
        assert "Traceback" not in terminal.written
        assert not re.search(r"\b(public|hidden)\b", terminal.written, re.IGNORECASE)
        assert terminal.screen.too_wide == [], terminal.text


def begins(learner: Learner) -> None:
    """A folder of one's own, from the installed course; where one is, and what to do next."""
    terminal = learner.runs("start")
    terminal.see(
        "book The chapter, from the first context vector to multi-head attention.",
        "Which track? (book, lecture) [book]:",
    )
    assert "lecture Everything, with the lecture's detours. 32 exercises, about 13.1 hours" in terminal.text
    terminal.press("book\r")
    assert terminal.leave() == 0, terminal.text
    terminal.see("20 exercises, about 7.4 hours, are in attention", "Next: cd attention")
    terminal.see("softmarks read context_vector softmarks watch Your answer goes into 2_simplified/")
    learner.folder /= "attention"
    assert json.loads((learner.folder / ".softmarks.json").read_text())["copy"]["course"] == "attention"
    where = learner.reads()
    assert "> context_vector The context vector of one token 25 min" in where
    assert "0 of 20 done, about 7.4 hours to go" in where
    assert "Next: softmarks read context_vector softmarks watch, and write into 2_simplified/" in where


def is_told(learner: Learner, terminal: Terminal, place: Room, mistake: str, seen: str) -> None:
    """Save a typical mistake and read its name, what it means, and what was seen."""
    wrong = next(one for one in place.misconceptions() if one.id == mistake)
    learner.saves(place, wrong.apply(place.reference()))
    name = mistake.replace("_", " ").capitalize()
    terminal.see(name, f"means {wrong.says}", seen, KEYS)


def solves(learner: Learner, terminal: Terminal, place: Room, done: str, why: str) -> None:
    """Save a right answer and read that it is one, and why it works."""
    learner.saves(place, place.reference())
    terminal.see(done, "all checks passed", why, "Done. n goes on to the next exercise.", KEYS)


def hands_in(learner: Learner) -> None:
    """Asked who one is; told what is in the zip and what is missing; the zip is as it was packed."""
    terminal = learner.runs("submit", "2_simplified")
    terminal.see("Your ID in the course:")
    terminal.press("ada17\r")
    assert terminal.leave() == 0, terminal.text
    terminal.see("✓ context_vector all checks passed", "✓ all_context_vectors all checks passed")
    terminal.see("! questions_2 not begun", "the learning platform's confirmation is your proof")
    assert re.search(r"wrote ada17_2_simplified\.zip: 3 files, \d+ KiB, for ada17", terminal.text)
    packed = zipfile.ZipFile(learner.folder / "ada17_2_simplified.zip")
    assert "2_simplified/context_vector.py" in packed.namelist()
    inspected = learner.reads("submit", "--inspect", "ada17_2_simplified.zip")
    assert "From ada17 attention 0.1, 2_simplified" in inspected
    assert "✓ 3 files, as they were packed" in inspected
