"""The public checks of attention_dropout: what can be said of random numbers without naming them."""

import pytest
import torch

from softmarks.testing import assert_close, assert_rate, assert_shape, check, must_raise, observe

ROW = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]])


@pytest.mark.dropout
def test_nothing_happens_outside_training(student):
    """With training=False the weights come back as they are, whatever the rate."""
    weights = student.attention_dropout(ROW, 0.2, False)
    assert_close(weights, ROW, dims=("query", "key"), what="the weights")


@pytest.mark.dropout
def test_a_fifth_of_the_weights(student):
    """At a rate of 0.2 about 2000 of 10000 weights are dropped, others in the next call."""
    ones = torch.ones(100, 100)
    both = observe(student.attention_dropout, ones, 0.2, True, seed=1, times=2).value
    assert_shape(both, (2, 100, 100), what="the weights of two calls")
    gone = both == 0
    assert_rate(gone[0].double().mean().item(), 0.2, 10_000, what="the rate at which weights are dropped")
    check(bool((gone[0] != gone[1]).any()), "two calls drop the same weights")


@pytest.mark.values
def test_survivors_of_the_book(student):
    """Of the book's table of ones every entry becomes 0 or, at a rate of 0.5, 2."""
    weights = observe(student.attention_dropout, torch.ones(6, 6), 0.5, True, seed=2).value
    expected = torch.where(weights == 0, 0.0, 2.0) if isinstance(weights, torch.Tensor) else torch.ones(6, 6)
    assert_close(weights, expected, dims=("query", "key"), what="the weights")


@pytest.mark.values
def test_survivors_at_another_rate(student):
    """At a rate of 0.2 a weight of 0.4 becomes 0 or 0.5."""
    weights = observe(student.attention_dropout, torch.full((6, 6), 0.4), 0.2, True, seed=3).value
    expected = torch.where(weights == 0, 0.0, 0.5) if isinstance(weights, torch.Tensor) else torch.ones(6, 6)
    assert_close(weights, expected, dims=("query", "key"), what="the weights")


@pytest.mark.values
def test_extreme_rates(student):
    """A rate of 0 keeps all weights, a rate of 1 leaves zeros, and -0.1 is no rate."""
    assert_close(student.attention_dropout(ROW, 0.0, True), ROW, what="the weights at a rate of 0")
    zeros = student.attention_dropout(ROW, 1.0, True)
    assert_close(zeros, torch.zeros(3, 3), what="the weights at a rate of 1")
    must_raise(student.attention_dropout, ROW, -0.1, True, what="a rate of -0.1")
