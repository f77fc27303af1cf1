"""The piece of a page for a notebook: it stands in somebody else's page, and keeps to itself."""

from __future__ import annotations

import re

import pytest

from softmarks.reporting.html import exercise_fragment
from softmarks.verdict import Outcome

from .made import HOSTILE, all_right, make_check, make_exercise, make_message, without_mark
from .test_html import Page

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\xe8\0\0\1\0"  # 1000 wide


def test_a_verdict_is_all_there():
    """Checks with outcomes in words, messages, repairs, the mark, and what no message explains."""
    odd = make_check("test_odd", Outcome.RAISED, says="The odd rule.", message="it raised `x`")
    page = Page(exercise_fragment(make_exercise(repairs=("read it",), checks=(*make_exercise().checks, odd))))
    for words in (
        "Causal attention with dropout causal_attention",
        "2 of 7 checks passed, 3.50 of 10.00",
        "Repaired: read it",
        "Mask after softmax explains 2 of 3 failed checks",
        "means The mask is applied after the softmax, so rows no longer sum to one.",
        "✗ A later token moves no earlier output. mask wrong value 0.00 of 2.00",
        "· Buffers follow the module. device not reached",
        "✓ Matches the book’s numbers. book passed no points",
        "check The odd rule. seen it raised x",
    ):
        assert words in page.text


def test_what_passed_is_folded_away():
    """A line says that all is right; the checks are behind it."""
    page = Page(exercise_fragment(all_right()))
    assert "all checks passed, 4.00 of 4.00 ✓ 2 checks passed: 2 values Check Kind" in page.text
    assert ("details", "open", None) not in page.attributes
    assert "not be graded" not in page.text
    note = "the notebook is cut off in the middle"
    assert f"ungradable, no mark (of 5.00) {note}" in Page(exercise_fragment(without_mark())).text


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_escapes(text):
    """Every text may be anybody's: it stays text."""
    check = make_check(text, Outcome.RAISED, says=text, message=text)
    message = make_message(
        mistake=text, asked=text, difference=text, says=text, hint=text, printed=text, checks=()
    )
    exercise = make_exercise(
        text, title=text, note=text, repairs=(text,), checks=(check,), messages=(message,)
    )
    source = exercise_fragment(exercise, PNG, text)
    page = Page(source)
    assert set(page.tags) <= {
        *("div", "style", "p", "strong", "span", "ul", "li", "dl", "dt", "dd", "pre", "code"),
        *("table", "thead", "tbody", "tr", "th", "td", "details", "summary", "img"),
    }
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in ("href", "style")]
    assert [value.partition(",")[0] for value in page.values("src")] == ["data:image/png;base64"]
    assert "url(" not in source
    source.encode()


def test_it_styles_nothing_but_itself():
    """Each rule is for its own class; colours come from around it, or have one to fall back on."""
    style = re.search(r"<style>(.*)</style>", exercise_fragment(all_right()), re.DOTALL)[1]
    rules = [selector for part in re.findall(r"([^{}]+)\{", style) for selector in part.split(",")]
    assert len(rules) > 20
    assert [rule for rule in rules if not rule.strip().startswith(".softmarks.softmarks")] == []
    assert re.findall(r"var\(--(?:jp|vscode)[a-z0-9A-Z-]+\)", style) == []


def test_a_picture_stands_in_it():
    """As wide as it is easy to read, in words for those who do not see it; folded away where one asks."""
    page = Page(exercise_fragment(make_exercise(), PNG, "one value differs"))
    assert page.values("alt") == ["one value differs"]
    assert page.values("width") == ["600"]
    assert ("details", "open", None) in page.attributes
    assert ("details", "open", None) not in Page(
        exercise_fragment(make_exercise(), PNG, "", folded=True)
    ).attributes
    assert "img" not in Page(exercise_fragment(make_exercise())).tags
