"""The public checks of causal_mask: small sizes, numbers to follow by hand."""

import pytest
import torch

from softmarks.testing import assert_close, assert_dtype, assert_equal, assert_unmodified, observe

# The second and third row of the book's example: "journey" sees "Your journey", "starts" sees one more.
SCORES = torch.tensor([[0.2899, 0.0716, 0.0760], [0.4656, 0.1723, 0.1751], [0.4594, 0.1703, 0.1731]])
WEIGHTS = torch.tensor([[1.0000, 0.0000, 0.0000], [0.5517, 0.4483, 0.0000], [0.3800, 0.3097, 0.3103]])


@pytest.mark.mask
def test_mask_of_three_tokens(student):
    """causal_mask(3) is True where the key comes after the query."""
    mask = student.causal_mask(3)
    expected = torch.tensor([[False, True, True], [False, False, True], [False, False, False]])
    assert_equal(mask, expected, dims=("query", "key"), what="the mask")
    assert_dtype(mask, torch.bool, what="the mask")


@pytest.mark.values
def test_after_the_softmax(student):
    """The rows 0.2, 0.3, 0.5 become 1; 0.4 and 0.6; 0.2, 0.3 and 0.5."""
    weights = torch.tensor([[0.2, 0.3, 0.5]]).repeat(3, 1)
    expected = torch.tensor([[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]])
    assert_close(student.mask_after_softmax(weights), expected, dims=("query", "key"), what="the weights")


@pytest.mark.values
def test_before_the_softmax(student):
    """The scores of the book's first three tokens, with d_k = 2, give the weights printed there."""
    weights = student.mask_before_softmax(SCORES, 2)
    assert_close(weights, WEIGHTS, atol=2e-4, dims=("query", "key"), what="the weights")


@pytest.mark.values
def test_batches(student):
    """Two matrices at once give what each gives alone."""
    both = torch.stack([SCORES, 2 * SCORES])
    weights = student.mask_before_softmax(both, 2)
    assert_close(
        weights[0], WEIGHTS, atol=2e-4, dims=("query", "key"), what="the weights of the first matrix"
    )
    again = student.mask_after_softmax(torch.softmax(both / 2**0.5, dim=-1))
    assert_close(again, weights, dims=("matrix", "query", "key"), what="the weights masked after the softmax")


@pytest.mark.values
def test_arguments_are_left_alone(student):
    """Neither function changes the tensor that it is given."""
    weights = torch.softmax(SCORES, dim=-1)
    assert_unmodified(observe(student.mask_after_softmax, weights, inputs=True), weights)
    assert_unmodified(observe(student.mask_before_softmax, SCORES, 2, inputs=True), SCORES)
