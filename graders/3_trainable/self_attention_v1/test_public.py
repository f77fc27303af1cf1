"""The public checks of SelfAttention_v1: small sizes, numbers to follow by hand or to look up in the book."""

import pytest
import torch

from softmarks.testing import assert_close, assert_names, assert_shape, check, push, sample

INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
WEIGHTS = {  # of the book's example: (d_in, d_out)
    "W_query": [[0.296112, 0.516562], [0.251671, 0.688557], [0.073972, 0.866522]],
    "W_key": [[0.136580, 0.102479], [0.184056, 0.726447], [0.315254, 0.687107]],
    "W_value": [[0.075635, 0.196638], [0.316412, 0.401740], [0.118568, 0.827395]],
}
CONTEXT = [
    [0.2996, 0.8053],
    [0.3061, 0.8210],
    [0.3058, 0.8203],
    [0.2948, 0.7939],
    [0.2927, 0.7891],
    [0.2990, 0.8040],
]


def of_the_book(student):
    """The book's module of size 3 to 2, with the book's weights."""
    attention = student.SelfAttention_v1(3, 2)
    has = assert_names(attention, tuple(WEIGHTS)).parameters
    for name in WEIGHTS:
        check(has[name].shape == (3, 2), f"{name} has shape {has[name].shape}, for d_in=3 and d_out=2")
    push(attention, {name: torch.tensor(matrix) for name, matrix in WEIGHTS.items()})
    return attention


@pytest.mark.shape
def test_six_tokens(student):
    """(6, 3) goes in, (6, 2) comes out."""
    assert_shape(of_the_book(student)(sample(6, 3)), (6, 2), what="the context")


@pytest.mark.values
def test_context_of_the_book(student):
    """With the book's weights, its six tokens get the context vectors that are printed there."""
    context = of_the_book(student)(torch.tensor(INPUTS))
    assert_close(context, torch.tensor(CONTEXT), atol=2e-4, what="the context")


@pytest.mark.values
def test_tokens_of_one_number(student):
    """The tokens 0, 1, 2 and matrices of 1: the second context is 0.0900 * 0 + 0.2447 * 1 + 0.6652 * 2."""
    attention, one = student.SelfAttention_v1(1, 1), torch.ones(1, 1)
    push(attention, {"W_query": one, "W_key": one, "W_value": one})
    context = attention(torch.tensor([[0.0], [1.0], [2.0]]))
    assert_close(context, torch.tensor([[1.0000], [1.5752], [1.8509]]), what="the context")


@pytest.mark.values
def test_two_sequences(student):
    """Two sequences at once get what each gets alone: the second is the book's example."""
    context = of_the_book(student)(torch.tensor([INPUTS[::-1], INPUTS]))
    assert_shape(context, (2, 6, 2), what="the context")
    expected = torch.tensor([CONTEXT[::-1], CONTEXT])
    assert_close(context, expected, atol=2e-4, dims=("sequence", "token", "feature"), what="the context")
