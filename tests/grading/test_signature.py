"""Equal behaviour gives equal signatures, other behaviour another one; the numbers cannot be got back."""

import pytest
import torch

from softmarks.grading.account import signatures_from_json, signatures_to_json
from softmarks.grading.laws import laws
from softmarks.grading.signature import signature
from softmarks.grading.student import Conversation, Exchange
from softmarks.verdict import Outcome


def said(*replies, raised=None, facts=(), outcome=Outcome.WRONG_VALUE, drawn=False):
    """The signature of a conversation with these answers; the last one may be an error."""
    exchanges = [
        Exchange("asked", {"value": reply}, laws=laws({"value": reply}) if drawn else None)
        for reply in replies
    ]
    exchanges += [Exchange("asked", None, raised)] if raised else []
    return signature(Conversation(exchanges, outcome, facts))


x = torch.randn(2, 7, 12, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("noise", [1e-7, 1e-6, 1e-5])
def test_rounding_makes_no_difference(noise):
    """Nor does the number type where the check does not ask for it."""
    assert said(x).same(said(x + noise * torch.randn_like(x)))
    assert said(x).same(said(x.double()))


@pytest.mark.parametrize(
    "other",
    [
        x * 1.01,
        x.flip(1),
        x.transpose(1, 2),
        x.reshape(2, 12, 7),
        torch.where(x == x[0, 3, 4], x + 0.1, x),
        torch.where(x == x[0, 3, 4], torch.nan, x),
        x.bool(),
        x.tolist(),
        3,
        None,
    ],
)
def test_another_answer_is_another(other):
    """A value, a shape, a kind, or one number that is off or is none."""
    assert not said(x).same(said(other))
    assert not said(x).resembles(said(other))


def test_whole_numbers_are_compared_exactly():
    """Two counts that differ by one in a million are two."""
    assert not said(2_360_064).same(said(2_360_065))
    assert not said(torch.tensor([1, 2])).same(said(torch.tensor([1, 3])))
    assert said(True).same(said(True))
    assert not said(True).same(said(1))


def test_one_number_is_one_in_a_tensor_or_not():
    """A stub may allow both, and the same mistake can be made in both."""
    assert said(torch.tensor(0.5)).same(said(0.5))
    assert said(torch.tensor(0.5)).same(said(torch.tensor(0.5, dtype=torch.float64)))
    assert not said(torch.tensor(0.5)).same(said(0.6))
    assert not said(torch.tensor([0.5])).same(said(0.5))
    assert said(torch.tensor(torch.nan)).same(said(float("nan")))


def test_half_precision_rounds_in_a_way_of_its_own():
    """Two ways to the same numbers differ by their rounding there, and other numbers by more."""
    half = x.bfloat16()
    assert said(half).same(said((x * 1.001).bfloat16()))
    assert not said(half).same(said((x * 1.1).bfloat16()))


def test_errors_agree_in_words_and_sizes():
    """Names that a student chose do not count."""
    one = said(raised=("RuntimeError", "size of 'queries' (7) must match (9)"))
    assert one.same(said(raised=("RuntimeError", "size of 'q' (7) must match (9)")))
    assert not one.same(said(raised=("RuntimeError", "size of 'q' (7) must match (5)")))
    assert not one.same(said(raised=("ValueError", "size of 'q' (7) must match (9)")))
    other_words = said(raised=("RuntimeError", "cannot multiply 7 by 9"))
    assert not one.same(other_words)
    assert one.resembles(other_words)


def test_an_error_without_sizes_resembles_no_other():
    """Any two calls may lack an argument."""
    one = said(raised=("TypeError", "forward() missing 1 required positional argument: 'x'"))
    assert not one.resembles(said(raised=("TypeError", "sqrt(): argument 1 must be a Tensor")))


def test_random_draws_are_compared_by_their_laws():
    """Which entries vanish is chance; how many, and how large the others are, is not."""

    def dropped(rate, scale, seed, whole_rows=False):
        shape = (200, 7, 1 if whole_rows else 12)
        keep = torch.rand(shape, generator=torch.Generator().manual_seed(seed)) > rate
        return torch.ones(200, 7, 12) * keep * scale

    one = said(dropped(0.2, 1.25, seed=1), drawn=True)
    assert not one.same(said(dropped(0.2, 1.25, seed=2), drawn=True))
    assert one.resembles(said(dropped(0.2, 1.25, seed=2), drawn=True))
    assert not one.resembles(said(dropped(0.5, 1.25, seed=2), drawn=True))
    assert not one.resembles(said(dropped(0.2, 1.0, seed=2), drawn=True))
    assert not one.resembles(said(dropped(0.2, 1.25, seed=2, whole_rows=True), drawn=True))


def test_facts_tell_apart_what_answers_do_not():
    """What a check noted belongs to it."""
    assert said(facts=("accepted",)).same(said(facts=("accepted",)))
    assert not said(facts=("accepted",)).same(said(facts=("refused",)))
    assert not said(facts=(0.2,)).same(said(facts=(0.3,)))


def test_it_can_be_kept_and_read_again():
    """As JSON, where only failed cases are listed."""
    ends = {"a/0": said(x, facts=(0.5, "x")), "b/0": said(outcome=Outcome.PASSED)}
    kept = signatures_from_json(signatures_to_json(ends))
    assert set(kept) == {"a/0"}
    assert kept["a/0"] == ends["a/0"]


def test_the_numbers_cannot_be_got_back():
    """Of 168 numbers a signature holds seven."""
    assert len(said(x).numbers) == 7
    assert len(str(signatures_to_json({"a/0": said(x)}))) < 400
