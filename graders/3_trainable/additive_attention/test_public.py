"""The public checks of AdditiveAttention: the statement's numbers, small batches, a mask."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, check, describe, push, sample

ONES = {"W_s.weight": torch.ones(1, 1), "W_h.weight": torch.ones(1, 1), "v.weight": torch.ones(1, 1)}


def a_pair(result):
    """The context and the weights that were returned."""
    check(isinstance(result, (tuple, list)) and len(result) == 2, "the result is not a pair of two tensors")
    return result


def with_ones(student):
    """A module whose sizes and weights are all 1."""
    attention = student.AdditiveAttention(1, 1, 1)
    names = set(describe(attention).parameters)
    says = f"the parameters are called {sorted(names)}, not {sorted(ONES)}"
    check(names == set(ONES), says, facts=tuple(sorted(names)))
    push(attention, ONES)
    return attention


@pytest.mark.shape
@pytest.mark.parametrize(("batch", "tokens"), [(2, 4), (1, 4), (2, 1)])
def test_shapes(student, batch, tokens):
    """The context is (batch, d_encoder), the weights are (batch, tokens)."""
    attention = student.AdditiveAttention(d_decoder=3, d_encoder=5, d_attention=6)
    context, weights = a_pair(attention(sample(batch, 3), sample(batch, tokens, 5)))
    assert_shape(context, (batch, 5), what="the context")
    assert_shape(weights, (batch, tokens), what="the weights")


@pytest.mark.values
def test_the_numbers_of_the_statement(student):
    """With all weights 1, the state 0 and the encoder states 0 and 1: 0.3183, 0.6817, context 0.6817."""
    context, weights = a_pair(with_ones(student)(torch.tensor([[0.0]]), torch.tensor([[[0.0], [1.0]]])))
    expected = torch.tensor([[0.3183, 0.6817]])
    assert_close(weights, expected, dims=("item", "token"), what="the weights")
    assert_close(context, torch.tensor([[0.6817]]), dims=("item", "feature"), what="the context")


@pytest.mark.values
def test_the_decoder_state_counts(student):
    """The state 1 gives the scores tanh(1) and tanh(2), and flatter weights: 0.4496 and 0.5504."""
    context, weights = a_pair(with_ones(student)(torch.tensor([[1.0]]), torch.tensor([[[0.0], [1.0]]])))
    expected = torch.tensor([[0.4496, 0.5504]])
    assert_close(weights, expected, dims=("item", "token"), what="the weights")
    assert_close(context, torch.tensor([[0.5504]]), dims=("item", "feature"), what="the context")


@pytest.mark.mask
def test_blocked_positions(student):
    """A blocked position has no weight; a sentence with none but blocked ones has the context 0."""
    states = torch.tensor([[[0.0], [1.0]], [[0.0], [1.0]]])
    mask = torch.tensor([[True, False], [True, True]])
    context, weights = a_pair(with_ones(student)(torch.zeros(2, 1), states, mask=mask))
    expected = torch.tensor([[0.0, 1.0], [0.0, 0.0]])
    assert_close(weights, expected, dims=("item", "token"), what="the weights")
    assert_close(context, torch.tensor([[1.0], [0.0]]), dims=("item", "feature"), what="the context")
