"""Slopes and biases of a few heads, with numbers that are easy to follow."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, must_raise


@pytest.mark.shape
def test_a_table_for_each_head(student):
    """Eight heads and five tokens make eight tables of five rows and five columns."""
    assert_shape(student.alibi_bias(8, 5), (8, 5, 5), what="the bias")


@pytest.mark.values
@pytest.mark.needs
def test_slopes_of_eight_and_four_heads(student):
    """Eight heads have 1/2, 1/4, … 1/256; four have 1/4, 1/16, 1/64, 1/256."""
    eight = torch.tensor([1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])
    assert_close(student.alibi_slopes(8), eight, atol=1e-6, dims=("head",), what="alibi_slopes(8)")
    assert_close(student.alibi_slopes(4), eight[1::2], atol=1e-6, dims=("head",), what="alibi_slopes(4)")


@pytest.mark.values
def test_bias_of_two_heads_and_three_tokens(student):
    """Of two heads the first takes off 1/16 a token and the second 1/256; later keys get 0."""
    steps = torch.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]])
    expected = torch.stack([-steps / 16, -steps / 256])
    dims = ("head", "query", "key")
    assert_close(student.alibi_bias(2, 3), expected, atol=1e-6, dims=dims, what="alibi_bias(2, 3)")


@pytest.mark.errors
@pytest.mark.needs
def test_six_heads_are_refused(student):
    """Six is no power of two."""
    must_raise(student.alibi_slopes, 6, what="alibi_slopes(6)")
