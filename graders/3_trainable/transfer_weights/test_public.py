"""Exercise 3.1 on the book's sizes: three inputs, two outputs, numbers that can be checked by eye."""

import pytest
import torch

from softmarks.testing import assert_close, assert_equal, check, describe, push, read

NAMES = ("W_query", "W_key", "W_value")

TWINS = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.zeros(d_in, d_out))
        self.W_key = nn.Parameter(torch.zeros(d_in, d_out))
        self.W_value = nn.Parameter(torch.zeros(d_in, d_out))

    def forward(self, x):
        return scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))
"""

QUERY = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # as nn.Linear(3, 2) stores it
KEY = torch.tensor([[0.5, 0.0, 1.0], [-1.0, 2.0, 0.0]])
VALUE = torch.tensor([[2.0, -1.0, 0.0], [0.0, 3.0, 1.0]])


@pytest.fixture
def twins(student):
    """A SelfAttention_v2 with known weights and an empty SelfAttention_v1, 3 inputs and 2 outputs."""
    classes = student.define(TWINS)
    v2, v1 = classes.SelfAttention_v2(3, 2), classes.SelfAttention_v1(3, 2)
    push(v2, {"W_query.weight": QUERY, "W_key.weight": KEY, "W_value.weight": VALUE})
    return v2, v1


@pytest.mark.shape
def test_the_query_matrix_gets_the_layout_of_v1(student, twins):
    """[[1, 2, 3], [4, 5, 6]] in v2 becomes [[1, 4], [2, 5], [3, 6]] in v1."""
    v2, v1 = twins
    student.transfer_weights(v2, v1)
    expected = torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])
    assert_equal(read(v1, "W_query"), expected, dims=("input", "output"), what="v1.W_query")


@pytest.mark.values
def test_v1_gives_the_output_of_v2(student, twins):
    """After the transfer v1 gives the context vectors of v2, and v2 still gives them too."""
    v2, v1 = twins
    x = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, -0.5, 0.2]]])
    before = v2(x)
    student.transfer_weights(v2, v1)
    assert_close(v2(x), before, what="v2(x) after the transfer")
    assert_close(v1(x), before, what="v1(x)")


@pytest.mark.values
def test_square_matrices_are_moved_too(student):
    """With d_in == d_out a wrong layout still has the right shape, and gives other numbers."""
    classes = student.define(TWINS)
    v2, v1 = classes.SelfAttention_v2(2, 2), classes.SelfAttention_v1(2, 2)
    query, key, value = QUERY[:, :2], KEY[:, :2], VALUE[:, :2]
    push(v2, {"W_query.weight": query, "W_key.weight": key, "W_value.weight": value})
    student.transfer_weights(v2, v1)
    expected = torch.tensor([[[1.0, 4.0], [2.0, 5.0]], [[0.5, -1.0], [0.0, 2.0]], [[2.0, 0.0], [-1.0, 3.0]]])
    found = [read(v1, name) for name in NAMES]
    for name, matrix, right in zip(NAMES, found, expected, strict=True):
        assert_equal(matrix, right, dims=("input", "output"), what=f"v1.{name}")


@pytest.mark.gradient
def test_the_matrices_stay_parameters(student, twins):
    """v1 still has its three Parameters, and they can be trained."""
    v2, v1 = twins
    student.transfer_weights(v2, v1)
    parts = describe(v1)
    kept = tuple(name for name in NAMES if name in parts.parameters)
    plain = tuple(facts.requires_grad for facts in parts.plain.values())
    check(kept == NAMES, f"of its Parameters v1 still has {list(kept)}", facts=(*kept, *plain))
    trained = tuple(name for name in NAMES if parts.parameters[name].requires_grad)
    check(
        trained == NAMES,
        f"the trainable Parameters of v1 are now {list(trained)}",
        facts=("frozen", *trained),
    )
