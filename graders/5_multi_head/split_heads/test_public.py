"""The public checks of split_heads and merge_heads: features with telling numbers."""

import pytest
import torch

from softmarks.testing import assert_equal, assert_shape, must_raise

# Two tokens of six features, in one sequence: the tens say which token, the units which feature.
TOKENS = torch.tensor([[[10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]]])
THREE_HEADS = torch.tensor(
    [[[[10.0, 11.0], [20.0, 21.0]], [[12.0, 13.0], [22.0, 23.0]], [[14.0, 15.0], [24.0, 25.0]]]]
)
IN_ONE_PLACE = """
def through_both(split_heads, merge_heads, x, num_heads):
    return merge_heads(split_heads(x, num_heads))
"""


@pytest.mark.shape
@pytest.mark.parametrize("num_heads", [3, 2, 1, 6])
def test_shape_of_the_heads(student, num_heads):
    """(1, 2, 6) becomes (1, num_heads, 2, 6 / num_heads)."""
    heads = student.split_heads(TOKENS, num_heads)
    assert_shape(heads, (1, num_heads, 2, 6 // num_heads), what="split_heads(x)")


@pytest.mark.values
def test_split_of_two_tokens(student):
    """Head 0 gets the features 0 and 1 of both tokens, head 1 the features 2 and 3, head 2 the last two."""
    dims = ("item", "head", "token", "feature")
    assert_equal(student.split_heads(TOKENS, 3), THREE_HEADS, dims=dims, what="split_heads(x)")


@pytest.mark.values
def test_merge_of_three_heads(student):
    """Three heads of two features become the six features of each token again."""
    dims = ("item", "token", "feature")
    assert_equal(student.merge_heads(THREE_HEADS), TOKENS, dims=dims, what="merge_heads(x)")


@pytest.mark.values
def test_merge_undoes_split(student):
    """merge_heads takes the very tensor that split_heads returns, and gives x back."""
    both = student.define(IN_ONE_PLACE).through_both(student.split_heads, student.merge_heads, TOKENS, 3)
    assert_equal(both, TOKENS, dims=("item", "token", "feature"), what="merge_heads(split_heads(x))")


@pytest.mark.errors
def test_four_heads_of_six_features(student):
    """6 features cannot be split into 4 heads."""
    must_raise(student.split_heads, TOKENS, 4, what="4 heads for 6 features")
