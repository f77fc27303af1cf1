"""Marks are exact, add up, and never reach the full sum while something fails."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softmarks.verdict import Outcome, blocked, deal

SHARES = {"shape": Fraction(2), "values": Fraction(5), "book": Fraction(0)}


def test_kinds_divide_the_total_by_their_shares():
    """Two kinds of shares 2 and 5 get 2/7 and 5/7, and checks of a kind get the same."""
    dealt = deal(Decimal(7), {"a": "shape", "b": "values", "c": "values"}, SHARES)
    assert dealt == {"a": Decimal("2.00"), "b": Decimal("2.50"), "c": Decimal("2.50")}


def test_a_kind_of_share_zero_is_worth_nothing():
    """A check of a zero kind is dealt nothing, and takes nothing away."""
    assert deal(Decimal(1), {"a": "shape", "z": "book"}, SHARES) == {
        "a": Decimal("1.00"),
        "z": Decimal("0.00"),
    }


@given(
    total=st.integers(1, 5000).map(lambda cents: Decimal(cents).scaleb(-2) + 1),
    kinds=st.lists(st.sampled_from(["shape", "values", "book"]), min_size=1, max_size=12),
)
def test_dealt_points_add_up_to_the_total(total, kinds):
    """Whatever the checks, what is dealt is the total, in whole cents, and no check that counts gets none."""
    names = {f"c{index}": kind for index, kind in enumerate(kinds)}
    if set(kinds) == {"book"}:
        with pytest.raises(ValueError, match="no check is worth anything"):
            deal(total, names, SHARES)
        return
    dealt = deal(total, names, SHARES)
    assert sum(dealt.values()) == total
    assert all((points > 0) == (names[name] != "book") for name, points in dealt.items())
    assert all(points == points.quantize(Decimal("0.01")) for points in dealt.values())


def test_too_few_points_are_refused():
    """Three checks cannot share two cents: one of them would be free to fail."""
    with pytest.raises(ValueError, match="too few"):
        deal(Decimal("0.02"), {"a": "shape", "b": "shape", "c": "shape"}, SHARES)


def test_a_check_counts_only_when_all_that_it_needs_pass():
    """What needs a failed check is blocked, at any remove; what does not is free."""
    outcomes = {"a": Outcome.RAISED, "b": Outcome.PASSED, "c": Outcome.PASSED, "d": Outcome.PASSED}
    assert blocked(outcomes, {"b": ["a"], "c": ["b"], "d": []}) == {"b", "c"}
