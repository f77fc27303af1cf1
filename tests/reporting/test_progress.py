"""Progress of a class: a live bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from rich.console import Console

from softmarks.reporting import progress
from softmarks.reporting.progress import ClassProgress, in_words

from .made import all_right, make_verdict


def test_a_pipe_gets_plain_lines(monkeypatch):
    """Where no terminal listens a plain line comes now and then, and one at the end."""
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    console = Console(file=io.StringIO(), width=80)
    with ClassProgress(console, 2) as shown:
        for student in ("Ada", "Grace"):
            shown.started(student)
            shown.finished(student, make_verdict(student))
    lines = console.file.getvalue().splitlines()
    assert lines == [
        "graded 1 of 2, about 0 s left, 1 not gradable in full",
        "graded 2 of 2, 2 not gradable in full",
        "graded 2 of 2, 2 not gradable in full, in 0 s",
    ]


def test_a_pipe_is_not_flooded():
    """A quick class of 300 is one line."""
    console = Console(file=io.StringIO(), width=80)
    with ClassProgress(console, 300) as shown:
        for number in range(300):
            shown.started(str(number))
            shown.finished(str(number), make_verdict("x", all_right()))
    assert console.file.getvalue() == "graded 300 of 300, in 0 s\n"


def test_a_terminal_shows_who_is_being_graded():
    """The live view names running submissions, inert, and counts those beyond the first few."""
    console = Console(file=io.StringIO(), width=80, force_terminal=True, _environ={})
    with ClassProgress(console, 20) as shown:
        for number in range(9):
            shown.started(f"student\x1b[31m {number}")
        shown.finished("student\x1b[31m 0", make_verdict())
        view = Console(file=io.StringIO(), width=80)
        view.print(shown._view())
    text = view.file.getvalue()
    assert "graded 1 of 20" in text
    assert r"student\x1b[31m 1" in text
    assert r"student\x1b[31m 0" not in text
    assert "and 2 others" in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_error_inside_ends_the_live_view():
    """The terminal is given back when the run fails, and nothing is promised any more."""
    console = Console(file=io.StringIO(), width=80, force_terminal=True, _environ={})

    def interrupted():
        with ClassProgress(console, 5) as shown:
            shown.finished("Ada", make_verdict())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    text = console.file.getvalue()
    assert text.endswith("graded 1 of 5, 1 not gradable in full, in 0 s\n")
    assert text.count("\x1b[?25h") == 1  # the cursor is visible again


def test_threads_lose_no_count():
    """Submissions that finish at the same moment are all counted."""
    console = Console(file=io.StringIO(), width=80)

    def one(number):
        shown.started(str(number))
        shown.finished(str(number), make_verdict())

    with ClassProgress(console, 500) as shown, ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(500)))
    assert console.file.getvalue().startswith("graded 500 of 500, 500 not gradable")


def test_durations_in_words():
    """Seconds, minutes, hours."""
    assert [in_words(each) for each in (0, 40, 240, 7500)] == ["0 s", "40 s", "4 min", "2 h 5 min"]
