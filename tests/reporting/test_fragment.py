"""The piece of a page for a notebook: it stands in somebody else's page, and keeps to itself."""

from __future__ import annotations

import re
import sys

import pytest

from softmarks.pictures import Drawn, Lines
from softmarks.reporting.html import exercise_fragment
from softmarks.verdict import Outcome

from .made import HOSTILE, all_right, make_check, make_exercise, make_message, without_mark
from .test_html import Page

TABLE = Drawn(
    kind="heatmap",
    title="Weights",
    x_axis="key",
    y_axis="query",
    row_labels=("a", "b"),
    column_labels=("left", "right"),
    own=Lines(rows=([0.5, 0.5], [1.0, None])),
    meant=Lines(rows=([0.5, 0.5], [0.25, 0.75])),
)
CURVE = Drawn(kind="curves", title="Norms", own=Lines(names=("sum",), rows=([1.0, 2.0],)))


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
    source = exercise_fragment(exercise, hostile(text))
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


def test_a_table_of_numbers_stands_in_it():
    """What the code computes beside what is meant, coloured by value; a cross where it is wrong."""
    page = Page(exercise_fragment(make_exercise(), [TABLE]))
    assert (
        "Weights query by key 2 values differ yours left right a 0.50 0.50 b 1.00 ✗ nan ✗ "
        "meant left right a 0.50 0.50 b 0.25 0.75"
    ) in page.text
    shades = [value for value in page.values("class") if re.match(r"v\d|\s*wrong", value)]
    assert shades == ["v7", "v7", "v20 wrong", " wrong", "v7", "v7", "v0", "v13"]
    assert "img" not in page.tags
    assert "background: rgb(253,231,37)" in exercise_fragment(make_exercise(), [TABLE])
    assert "rgb(" not in exercise_fragment(make_exercise())


def test_what_is_as_it_is_meant_is_shown_once():
    """Without what is meant beside it, whether that is the same or not known."""
    for meant in (TABLE.own, None):
        page = Page(exercise_fragment(make_exercise(), [TABLE.model_copy(update={"meant": meant})]))
        assert "Weights query by key left right a 0.50 0.50 b 1.00 nan" in page.text
        assert "✗ nan" not in page.text


def test_what_cannot_be_drawn_says_why():
    """The reason stands where the numbers would."""
    panel = TABLE.model_copy(update={"own": Lines(problem="`weights` is None")})
    page = Page(exercise_fragment(make_exercise(), [panel]))
    assert "Weights query by key yours weights is None meant left right a 0.50" in page.text


@pytest.mark.parametrize("panel", [CURVE, TABLE.model_copy(update={"own": Lines(rows=([0.5] * 200,))})])
def test_what_does_not_fit_in_a_table_is_an_image(panel, monkeypatch):
    """As wide as it is easy to read, in words for those who do not see it; nothing without matplotlib."""
    panel = panel.model_copy(update={"meant": None})
    page = Page(exercise_fragment(make_exercise(), [panel]))
    assert page.values("alt") == [f"{panel.title}: your own values"]
    assert page.values("width") == ["454"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = Page(exercise_fragment(make_exercise(), [panel]))
    assert "img" not in page.tags
    assert "What your code computes" not in page.text


def test_pictures_wait_for_a_click_where_one_asks():
    """Folded away where it is not known what is meant; not there where there are none."""
    opened = ("details", "open", None)
    assert opened in Page(exercise_fragment(make_exercise(), [TABLE])).attributes
    assert opened not in Page(exercise_fragment(make_exercise(), [TABLE], folded=True)).attributes
    assert "What your code computes" not in exercise_fragment(make_exercise())


def hostile(text):
    """Pictures with a text in every place that has one."""
    labels = {"title": text, "x_axis": text, "y_axis": text, "row_labels": (text, text)}
    table = TABLE.model_copy(update={**labels, "column_labels": (text, text)})
    curve = CURVE.model_copy(update={"title": text, "own": Lines(names=(text,), rows=([1.0, 2.0],))})
    return [table, table.model_copy(update={"own": Lines(problem=text)}), curve]


def test_checks_that_run_elsewhere_are_announced():
    """Once the public ones pass, in a student edition; not while there is something to repair."""
    held_back = "2 hidden checks (mask, device) run when you submit"
    assert f"{held_back}." in Page(exercise_fragment(all_right(held_back=held_back))).text
    assert held_back not in Page(exercise_fragment(make_exercise(held_back=held_back))).text
