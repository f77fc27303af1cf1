"""The public checks of SelfAttention_v2: small sizes, numbers to follow by hand or to look up in the book."""

import pytest
import torch

from softmarks.testing import assert_close, assert_names, assert_shape, check, describe, push, sample

INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
WEIGHTS = {  # of the book's example, in the layout of nn.Linear: (d_out, d_in)
    "W_query.weight": [[0.316059, 0.456809, 0.511835], [-0.168285, -0.337877, -0.091774]],
    "W_key.weight": [[0.405806, -0.470421, 0.236805], [0.213361, -0.260051, -0.510543]],
    "W_value.weight": [[0.252570, -0.141478, -0.196181], [0.519107, -0.085168, -0.204327]],
}
CONTEXT = [
    [-0.0739, 0.0713],
    [-0.0748, 0.0703],
    [-0.0749, 0.0702],
    [-0.0760, 0.0685],
    [-0.0763, 0.0679],
    [-0.0754, 0.0693],
]


def of_the_book(student):
    """The book's module of size 3 to 2, with the book's weights."""
    attention = student.SelfAttention_v2(3, 2)
    assert_names(attention, tuple(WEIGHTS))
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
    assert_close(context, torch.tensor(CONTEXT), what="the context")


@pytest.mark.values
def test_two_sequences(student):
    """Two sequences at once get what each gets alone: the second is the book's example."""
    context = of_the_book(student)(torch.tensor([INPUTS[::-1], INPUTS]))
    assert_shape(context, (2, 6, 2), what="the context")
    expected = torch.tensor([CONTEXT[::-1], CONTEXT])
    assert_close(context, expected, dims=("sequence", "token", "feature"), what="the context")


@pytest.mark.values
def test_biases_are_added(student):
    """With W_value of zeros and a bias of 1 and 2, every context is 1 and 2, as the weights sum to 1."""
    attention = student.SelfAttention_v2(3, 2, qkv_bias=True)
    push(attention, {"W_value.weight": torch.zeros(2, 3), "W_value.bias": torch.tensor([1.0, 2.0])})
    context = attention(torch.tensor(INPUTS))
    assert_close(context, torch.tensor([[1.0, 2.0]] * 6), what="the context")


@pytest.mark.state
@pytest.mark.parametrize(("qkv_bias", "numbers"), [(False, 18), (True, 24)])
def test_number_of_parameters(student, qkv_bias, numbers):
    """From 3 to 2 there are 18 numbers to train, and 24 with biases."""
    has = describe(student.SelfAttention_v2(3, 2, qkv_bias=qkv_bias)).parameters
    count = sum(torch.Size(facts.shape).numel() for facts in has.values())
    check(count == numbers, f"with qkv_bias={qkv_bias} there are {count} numbers to train", facts=(count,))
