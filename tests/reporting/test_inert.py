"""Text that may be hostile is shown, never obeyed."""

from __future__ import annotations

import pytest

from softmarks.reporting.inert import clip, inert

from .made import HOSTILE


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_unprintable_remains(text):
    """Whatever a student wrote, what remains can be printed, and encoded as UTF-8."""
    shown = inert(text)
    assert shown.isprintable()
    shown.encode("utf-8")


def test_a_mark_says_which_character_stood_there():
    """Control and bidi characters are spelled as in a Python string."""
    assert inert("\x1b[31m \u202e \x9b \ud800 \x00 \r") == r"\x1b[31m \u202e \x9b \ud800 \x00 \r"


def test_ordinary_text_is_untouched():
    """Names in any script, emoji, line ends and tabs stay as they are."""
    for text in ("Σοφία Ковалевская", "李小龙", "Müller-Lüdenscheidt", "a\n\tb", "نیم\u200cفاصله", "✓ 🙂"):
        assert inert(text) == text


def test_windows_line_ends_are_line_ends():
    """A carriage return before a newline is no control character worth showing."""
    assert inert("a\r\nb") == "a\nb"


def test_clip_cuts_long_lines_and_says_how_many_lines_are_left():
    """Neither one endless line nor endless lines get through."""
    assert clip("x" * 50 + "\nb\nc\nd", columns=10, lines=2) == "x" * 9 + "…\nb\n… (2 more lines)"
    assert clip("short\nlines\n", columns=10, lines=2) == "short\nlines"
