"""The public checks of CrossAttention: the statement's numbers, two sentences, padding."""

import pytest
import torch

from softmarks.testing import assert_close, assert_names, assert_shape, check, must_raise, push, sample

LAYERS = ("W_Q.weight", "W_K.weight", "W_V.weight", "W_O.weight")
DIMS = ("item", "head", "query", "key")
FEATURES = ("item", "token", "feature")
SOURCE = [[0.0, 10.0], [1.0, 20.0], [2.0, 30.0]]  # the key of a token, then its value


def answer(attention, *inputs, **kwargs):
    """The output and the weights of one call, after a look whether there are two."""
    found = attention(*inputs, **kwargs)
    pair = isinstance(found, (tuple, list)) and len(found) == 2
    check(pair, "forward should return a pair: the output and the weights", facts=("no pair",))
    return found


@pytest.fixture
def attention(student):
    """A module for a target of width 1 and a source of width 2, with the weights of the statement."""
    made = student.CrossAttention(1, 2, 1)
    assert_names(made, LAYERS)
    keys, values, same = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]]), torch.ones(1, 1)
    push(made, dict(zip(LAYERS, (same, keys, values, same), strict=True)))
    return made


@pytest.mark.shape
@pytest.mark.parametrize(("n_target", "n_source"), [(3, 5), (5, 3), (1, 4)])
def test_shapes(student, n_target, n_source):
    """There are as many outputs as target tokens, and a weight for each pair of a query and a key."""
    attention = student.CrossAttention(d_target=6, d_source=4, n_heads=2)
    output, weights = answer(attention, sample(2, n_target, 6), sample(2, n_source, 4))
    assert_shape(output, (2, n_target, 6), what="the output")
    assert_shape(weights, (2, 2, n_target, n_source), what="the weights")


@pytest.mark.values
def test_the_numbers_of_the_statement(attention):
    """The target 1 gives the weights 0.0900, 0.2447, 0.6652; a target 0 sees all three alike."""
    output, weights = answer(attention, torch.tensor([[[1.0], [0.0]]]), torch.tensor([SOURCE]))
    expected = torch.tensor([[[[0.0900, 0.2447, 0.6652], [1 / 3, 1 / 3, 1 / 3]]]])
    assert_close(weights, expected, dims=DIMS, what="the weights")
    assert_close(output, torch.tensor([[[25.7521], [20.0]]]), dims=FEATURES, what="the output")


@pytest.mark.mask
def test_padding_of_the_source(attention):
    """The third token is padding in the first sentence; all three are in the second, which gets zeros."""
    mask = torch.tensor([[False, False, True], [True, True, True]])
    output, weights = answer(attention, torch.ones(2, 1, 1), torch.tensor([SOURCE, SOURCE]), mask=mask)
    expected = torch.tensor([[[[0.2689, 0.7311, 0.0]]], [[[0.0, 0.0, 0.0]]]])
    assert_close(weights, expected, dims=DIMS, what="the weights")
    assert_close(output, torch.tensor([[[17.3106]], [[0.0]]]), dims=FEATURES, what="the output")


@pytest.mark.errors
def test_heads_that_do_not_fit_are_refused(student):
    """Four heads cannot share six features."""
    must_raise(student.CrossAttention, 6, 4, 4, what="6 features for 4 heads")
