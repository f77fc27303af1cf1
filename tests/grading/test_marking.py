"""Marks are a pure function of a suite's record."""

from decimal import Decimal
from fractions import Fraction

import pytest

from softmarks.errors import GraderError
from softmarks.grading.marking import checks
from softmarks.grading.record import Case
from softmarks.verdict import Outcome

SHARES = {"values": Fraction(3), "mask": Fraction(1)}


def case(check, outcome=Outcome.PASSED, kind="values", needs=(), message=""):
    return Case(check=check, kind=kind, says="a rule", needs=needs, outcome=outcome, message=message)


def test_a_check_passes_when_all_its_cases_do():
    """One failed case of three fails the check, and it is the one that is told."""
    cases = {
        "a[1]": case("a"),
        "a[2]": case("a", Outcome.RAISED, message="second"),
        "a[3]": case("a", Outcome.WRONG_VALUE, message="third"),
        "b": case("b", kind="mask"),
    }
    first, second = checks(cases, Decimal(4), SHARES)
    assert (first.outcome, first.points, first.max_points, first.message) == (Outcome.RAISED, 0, 3, "second")
    assert (second.points, second.max_points) == (1, 1)


def test_what_needs_a_failed_check_is_not_reached():
    """A check that passed by itself is worth nothing when one that it needs failed."""
    cases = {"a": case("a", Outcome.WRONG_SHAPE), "b": case("b", kind="mask", needs=("a",))}
    first, second = checks(cases, Decimal(4), SHARES)
    assert first.outcome is Outcome.WRONG_SHAPE
    assert (second.outcome, second.points) == (Outcome.NOT_REACHED, 0)


def test_a_suite_without_points_is_worth_nothing():
    """A public suite has checks and no points."""
    (only,) = checks({"a": case("a")}, None, SHARES)
    assert (only.points, only.max_points) == (0, 0)


def test_an_unknown_parent_is_the_graders_fault():
    """A suite that needs a check which is not there is broken."""
    with pytest.raises(GraderError, match="needs nobody"):
        checks({"a": case("a", needs=("nobody",))}, Decimal(1), SHARES)
