"""The grade sheet: columns that add up, and text that stays text."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest

from softmarks.reporting.sheets import grades_csv, safe_cell

from .made import HOSTILE, all_right, make_exercise, make_verdict, without_mark

EXERCISES = ["causal_mask", "causal_attention", "split_heads"]
OUTCOMES = {"mask": {"causal_mask", "causal_attention"}, "split": {"split_heads"}}


def rows(text):
    """The sheet as any other program reads it."""
    return list(csv.DictReader(io.StringIO(text)))


def test_the_sheet_of_a_class(class_verdicts):
    """The exact text: header, a row a student, two decimals, empty where there is no mark."""
    lines = grades_csv(class_verdicts, EXERCISES, OUTCOMES).split("\n")
    assert lines[0] == (
        "student,causal_mask,causal_attention,split_heads,total,max,outcome:mask,outcome:split,remarks"
    )
    assert lines[1] == (
        "Ada Lovelace,4.00,3.50,,7.50,19.00,53.6,,"
        "split_heads: ungradable (the notebook is cut off in the middle)"
    )
    assert lines[2] == "Grace Hopper,4.00,10.00,4.00,18.00,18.00,100.0,100.0,"
    assert lines[3].startswith('"Noether, Emmy",2.00,3.50,4.00,9.50,18.00,39.3,100.0,')
    assert lines[4].startswith("Σοφία Kowalewskaja,0.00,0.00,0.00,0.00,15.00,0.0,0.0,causal_mask: missing (")
    assert lines[-1] == ""


def test_an_outcome_is_a_share_of_points():
    """In percent, of the exercises that teach it and have a mark; missing work is none; else it is empty."""
    missing = without_mark("causal_mask", "missing", max_points="4.00")
    exercises = missing, all_right("causal_attention"), without_mark()
    [row] = rows(grades_csv([make_verdict("x", *exercises)], EXERCISES, OUTCOMES))
    assert (row["outcome:mask"], row["outcome:split"]) == ("50.0", "")


def test_each_row_adds_up(class_verdicts):
    """The total is the sum of the cells that the row shows."""
    for row in rows(grades_csv(class_verdicts, EXERCISES, OUTCOMES)):
        assert sum((Decimal(row[name]) for name in EXERCISES if row[name]), Decimal(0)) == Decimal(
            row["total"]
        )


def test_only_the_exercises_asked_for_count():
    """A column left out is in neither the total nor the maximum; one never graded says so."""
    [row] = rows(grades_csv([make_verdict()], ["causal_mask", "rotary"], {}))
    assert (row["total"], row["max"], row["rotary"]) == ("4.00", "4.00", "")
    assert row["remarks"] == "rotary: not part of this grading"


def test_no_binary_fraction_is_ever_printed():
    """Marks read back from JSON print as cents."""
    verdict = make_verdict("x", all_right(points=0.1), make_exercise(points=0.2))
    verdict = type(verdict).model_validate_json(verdict.model_dump_json())
    [row] = rows(grades_csv([verdict], EXERCISES[:2], {}))
    assert (row["causal_mask"], row["causal_attention"], row["total"]) == ("0.10", "0.20", "0.30")


@pytest.mark.parametrize(
    "name", ["Smith, Jr.", 'Ann "Bo" Lee', "two\nlines", "two\r\nlines", "lone\rreturn", *HOSTILE]
)
def test_any_name_keeps_its_columns(name):
    """Commas, quotes, line ends and worse in a name move no column, and the sheet can be saved."""
    text = grades_csv([make_verdict(name), make_verdict("next")], EXERCISES, {name: {"causal_mask"}})
    text.encode("utf-8")
    first, second = rows(text)
    assert (first["total"], second["student"], second["total"]) == ("7.50", "next", "7.50")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", " =", "\t@"])
def test_a_name_is_no_formula(start):
    """A cell that a spreadsheet would run begins with an apostrophe."""
    [row] = rows(grades_csv([make_verdict(f"{start}cmd|' /C calc'!A0")], EXERCISES, {}))
    assert row["student"].startswith("'")
    assert "cmd|' /C calc'!A0" in row["student"]


def test_a_formula_after_a_separator_is_disarmed_too():
    """A spreadsheet that splits at semicolons finds no formula either."""
    assert safe_cell("a;=1+1") == "a;'=1+1"
    assert safe_cell("a; @x") == "a;' @x"
    assert safe_cell("a\n-1") == "a\n'-1"
    assert safe_cell("Smith-Jones; a=b") == "Smith-Jones; a=b"


def test_a_remark_is_no_formula():
    """What a note quotes is disarmed inside the remark."""
    verdict = make_verdict("x", without_mark(note="=HYPERLINK(1)"))
    [row] = rows(grades_csv([verdict], ["split_heads"], {}))
    assert row["remarks"] == "split_heads: ungradable ('=HYPERLINK(1))"


def test_an_empty_class_is_a_header():
    """Nobody handed in: one line."""
    assert grades_csv([], ["causal_mask"], {}) == "student,causal_mask,total,max,remarks\n"
