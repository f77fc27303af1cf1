"""The graded suite of causal_mask: the mask itself, masking after the softmax, masking before it.

Each check asks one function and needs that function's own checks only, so a function that is wrong costs
its own points.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_equal,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    observe,
    sample,
)

TOKENS, D_K = 7, 12
ROWS = ("batch", "query", "key")


def finished_weights(*shape, seed=0, dtype=torch.float32):
    """Attention weights as a softmax leaves them: nothing hidden, each row sums to 1."""
    return oracle.softmax(sample(*shape, seed=seed)).to(dtype)


def raw_scores(*shape, seed=0, dtype=torch.float32):
    """Scores of the size that unscaled dot products of d_k numbers have."""
    return sample(*shape, seed=seed, scale=D_K**0.5, dtype=dtype)


@pytest.mark.shape
@pytest.mark.parametrize("tokens", [TOKENS, 1])
def test_mask_is_square_and_boolean(student, tokens):
    """causal_mask returns one row a query and one column a key, of booleans."""
    mask = student.causal_mask(tokens)
    assert_shape(mask, (tokens, tokens), what="the mask")
    assert_dtype(mask, torch.bool, what="the mask")


@pytest.mark.mask
@pytest.mark.needs("test_mask_is_square_and_boolean")
@pytest.mark.enforces("keep what lies strictly above the diagonal")
@pytest.mark.parametrize("tokens", [TOKENS, 4, 1])
def test_mask_blocks_the_future_alone(student, tokens):
    """True above the diagonal, False on it and below: a token sees itself and its past."""
    assert_equal(
        student.causal_mask(tokens), oracle.causal_mask(tokens), dims=("query", "key"), what="the mask"
    )


@pytest.mark.shape
@pytest.mark.enforces("weights (..., tokens, tokens), each row sums to 1 -> the same shape")
@pytest.mark.parametrize("leading", [(2,), (), (2, 3)])
def test_after_keeps_the_shape(student, leading):
    """mask_after_softmax takes one matrix, a batch of them, or a batch of several heads."""
    weights = finished_weights(*leading, TOKENS, TOKENS)
    assert_shape(student.mask_after_softmax(weights), weights.shape, what="the weights")


@pytest.mark.mask
@pytest.mark.needs("test_after_keeps_the_shape")
@pytest.mark.enforces("set the weights of the future to 0")
def test_after_leaves_no_weight_in_the_future(student):
    """mask_after_softmax: what is blocked weighs nothing, and the rest of each row sums to 1."""
    weights = student.mask_after_softmax(finished_weights(2, TOKENS, TOKENS))
    assert_shape(weights, (2, TOKENS, TOKENS), what="the weights")
    future = oracle.causal_mask(TOKENS)
    check(not weights[:, future].any(), "some weight is left on a token that comes later")
    check((weights[:, ~future] > 0).all(), "a token that may be seen has no weight left")
    assert_close(
        weights.sum(dim=-1), torch.ones(2, TOKENS), dims=("batch", "query"), what="the sum of each row"
    )


@pytest.mark.values
@pytest.mark.needs("test_after_keeps_the_shape")
@pytest.mark.enforces("divide each row by its sum")
@pytest.mark.parametrize("leading", [(2,), (), (2, 3)])
def test_after_shares_each_row_out_again(student, leading):
    """mask_after_softmax: the visible weights of a row keep their proportions and sum to 1."""
    weights = finished_weights(*leading, TOKENS, TOKENS, seed=1)
    dims = ("batch", "matrix", "query", "key")[2 - len(leading) :]
    assert_close(
        student.mask_after_softmax(weights), oracle.renormalised(weights), dims=dims, what="the weights"
    )


@pytest.mark.shape
@pytest.mark.enforces(
    "scores (..., tokens, tokens), d_k an int (the size of a key) -> weights (..., tokens, tokens)"
)
@pytest.mark.parametrize("leading", [(2,), (), (2, 3)])
def test_before_keeps_the_shape(student, leading):
    """mask_before_softmax takes one matrix, a batch of them, or a batch of several heads."""
    scores = raw_scores(*leading, TOKENS, TOKENS)
    assert_shape(student.mask_before_softmax(scores, D_K), scores.shape, what="the weights")


@pytest.mark.mask
@pytest.mark.needs("test_before_keeps_the_shape")
@pytest.mark.enforces("put minus infinity (or a number that acts like it) in the place of the future scores")
def test_before_ignores_scores_of_the_future(student):
    """mask_before_softmax: another score in the future changes nothing, another one in the past does."""
    future = oracle.causal_mask(TOKENS)
    scores = sample(TOKENS, TOKENS)
    changed = scores + torch.arange(TOKENS) / 2
    versions = torch.stack(
        [scores, torch.where(future, changed, scores), torch.where(future, scores, changed)]
    )
    weights = student.mask_before_softmax(versions, D_K)
    assert_shape(weights, versions.shape, what="the weights")
    plain, other_future, other_past = weights
    assert_close(
        other_future,
        plain,
        atol=1e-6,
        dims=("query", "key"),
        what="the weights when only future scores change",
    )
    moved = (other_past[1:] - plain[1:]).abs().amax(dim=-1) > 1e-4
    check(
        moved.all(),
        "a row of weights does not follow when its past scores change",
        facts=tuple(moved.tolist()),
    )


@pytest.mark.values
@pytest.mark.needs("test_before_keeps_the_shape")
@pytest.mark.enforces("divide by the square root of d_k", "softmax over the keys")
@pytest.mark.parametrize("shape", [(2, TOKENS, TOKENS), (TOKENS, TOKENS), (2, 3, TOKENS, TOKENS), (2, 2)])
def test_before_is_one_scaled_softmax(student, shape):
    """mask_before_softmax: the softmax of scores / sqrt(d_k) over the visible keys."""
    scores = raw_scores(*shape, seed=1)
    dims = ("batch", "matrix", "query", "key")[4 - len(shape) :]
    weights = student.mask_before_softmax(scores, D_K)
    assert_close(weights, oracle.causal_weights(scores, D_K), dims=dims, what="the weights")


@pytest.mark.values
@pytest.mark.needs("test_before_is_one_scaled_softmax")
def test_before_stands_loud_scores(student):
    """mask_before_softmax: very large scores, in the future too, give weights that are right and finite."""
    scores = 6 * raw_scores(2, TOKENS, TOKENS, seed=2)
    scores[0, 0, 3] = 600.0  # a later token that would take the whole row, if it were counted
    weights = student.mask_before_softmax(scores, D_K)
    assert_close(
        weights, oracle.causal_weights(scores, D_K), rtol=1e-3, atol=1e-3, dims=ROWS, what="the weights"
    )


AFTER, BEFORE = "test_after_shares_each_row_out_again", "test_before_is_one_scaled_softmax"
NUMBER_TYPES = [(torch.float64, 1e-4), (torch.bfloat16, 3e-2)]


@pytest.mark.values
@pytest.mark.needs(AFTER)
@pytest.mark.enforces("Leave the tensor that you are given as it is: return a new one.")
def test_after_leaves_its_argument_alone(student):
    """mask_after_softmax returns a new tensor; the weights that it is given stay as they are."""
    weights = finished_weights(2, TOKENS, TOKENS)
    assert_unmodified(observe(student.mask_after_softmax, weights, inputs=True), weights)


@pytest.mark.values
@pytest.mark.needs(BEFORE)
@pytest.mark.enforces("Leave the tensor that you are given as it is, and")
def test_before_leaves_its_argument_alone(student):
    """mask_before_softmax returns a new tensor; the scores that it is given stay as they are."""
    scores = raw_scores(2, TOKENS, TOKENS)
    assert_unmodified(observe(student.mask_before_softmax, scores, D_K, inputs=True), scores)


@pytest.mark.gradient
@pytest.mark.needs(AFTER)
def test_after_passes_gradients_back(student):
    """mask_after_softmax passes gradients back to the weights that it is given."""
    upstream, weights = sample(2, TOKENS, TOKENS, seed=3), finished_weights(2, TOKENS, TOKENS)
    gradient = observe(student.mask_after_softmax, weights, upstream=upstream).input_gradients[0]
    check(gradient is not None, "no gradient reaches the weights given to mask_after_softmax")
    expected = oracle.input_gradient(oracle.renormalised, weights, upstream)
    assert_close(gradient, expected, dims=ROWS, what="the gradient of mask_after_softmax")


@pytest.mark.gradient
@pytest.mark.needs(BEFORE)
def test_before_passes_gradients_back(student):
    """mask_before_softmax passes gradients back to the scores that it is given."""
    upstream, scores = sample(2, TOKENS, TOKENS, seed=3), raw_scores(2, TOKENS, TOKENS)
    gradient = observe(student.mask_before_softmax, scores, D_K, upstream=upstream).input_gradients[0]
    check(gradient is not None, "no gradient reaches the scores given to mask_before_softmax")
    expected = oracle.input_gradient(lambda given: oracle.causal_weights(given, D_K), scores, upstream)
    assert_close(gradient, expected, dims=ROWS, what="the gradient of mask_before_softmax")


@pytest.mark.device
@pytest.mark.needs("test_mask_blocks_the_future_alone")
@pytest.mark.enforces("a square of True on the given device")
def test_mask_lies_on_the_device_asked_for(student):
    """causal_mask puts the mask on the device that it is given."""
    mask = student.causal_mask(5, device="meta")
    assert_shape(mask, (5, 5), what="the mask")
    check(mask.device.type == "meta", "the mask is not on the device asked for", outcome="wrong-device")


@pytest.mark.device
@pytest.mark.needs(AFTER)
@pytest.mark.enforces("make the mask on the device of the weights")
def test_after_follows_its_input(student):
    """mask_after_softmax works on the device of the weights."""
    assert_follows_device(student.mask_after_softmax, finished_weights(2, TOKENS, TOKENS))


@pytest.mark.device
@pytest.mark.needs(BEFORE)
@pytest.mark.enforces("make the mask on the device of the scores")
def test_before_follows_its_input(student):
    """mask_before_softmax works on the device of the scores."""
    assert_follows_device(student.mask_before_softmax, raw_scores(2, TOKENS, TOKENS), D_K)


@pytest.mark.dtype
@pytest.mark.needs(AFTER)
@pytest.mark.parametrize(("dtype", "tolerance"), NUMBER_TYPES)
def test_after_keeps_the_number_type(student, dtype, tolerance):
    """mask_after_softmax returns weights in the number type that it is given."""
    given = finished_weights(2, TOKENS, TOKENS, dtype=dtype)
    weights = student.mask_after_softmax(given)
    assert_dtype(weights, dtype, what="the result of mask_after_softmax")
    expected = oracle.renormalised(given)
    assert_close(weights, expected, rtol=tolerance, atol=tolerance, dims=ROWS, what="the weights")


@pytest.mark.dtype
@pytest.mark.needs(BEFORE)
@pytest.mark.parametrize(("dtype", "tolerance"), NUMBER_TYPES)
def test_before_keeps_the_number_type(student, dtype, tolerance):
    """mask_before_softmax returns weights in the number type of the scores."""
    scores = raw_scores(2, TOKENS, TOKENS, dtype=dtype)
    weights = student.mask_before_softmax(scores, D_K)
    assert_dtype(weights, dtype, what="the result of mask_before_softmax")
    expected = oracle.causal_weights(scores, D_K)
    assert_close(weights, expected, rtol=tolerance, atol=tolerance, dims=ROWS, what="the weights")


SCORES_OF_THE_BOOK = [
    [0.2899, 0.0716, 0.0760, -0.0138, 0.1344, -0.0511],
    [0.4656, 0.1723, 0.1751, 0.0259, 0.1771, 0.0085],
    [0.4594, 0.1703, 0.1731, 0.0259, 0.1745, 0.0090],
    [0.2642, 0.1024, 0.1036, 0.0186, 0.0973, 0.0122],
    [0.2183, 0.0874, 0.0882, 0.0177, 0.0786, 0.0144],
    [0.3408, 0.1270, 0.1290, 0.0198, 0.1290, 0.0078],
]
WEIGHTS_OF_THE_BOOK = [
    [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.5517, 0.4483, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.3800, 0.3097, 0.3103, 0.0000, 0.0000, 0.0000],
    [0.2758, 0.2460, 0.2462, 0.2319, 0.0000, 0.0000],
    [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0.0000],
    [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529],
]


@pytest.mark.book
def test_both_ways_match_the_book(student):
    """Both functions give the causal weights printed in the book."""
    scores, printed = torch.tensor(SCORES_OF_THE_BOOK), torch.tensor(WEIGHTS_OF_THE_BOOK)
    finished = oracle.softmax(scores / 2**0.5).float()
    assert_close(
        student.mask_after_softmax(finished), printed, atol=2e-4, dims=("query", "key"), what="the weights"
    )
    assert_close(
        student.mask_before_softmax(scores, 2), printed, atol=2e-4, dims=("query", "key"), what="the weights"
    )
