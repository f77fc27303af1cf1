"""The graded suite of context_vector: scores, a softmax that nothing overflows, the weighted sum.

Each check asks one function and needs that function's own checks only. The context is compared with what
the returned weights make of the inputs, so a softmax that is wrong costs the weighted sum nothing.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    observe,
    sample,
)

TOKENS, D = 7, 10
QUIET = 0.5  # entries of this size leave every token a weight that can be seen
POSITIONS = [3, 0, 6]

LAST_RESULT = """
def last_result(function, *args):
    return function(*args)[2]
"""


def quiet(*shape, seed=0, dtype=torch.float32):
    """Inputs or scores of ordinary size."""
    return sample(*shape, seed=seed, scale=QUIET, dtype=dtype)


def three(results):
    """Scores, weights and context, after a look whether there are three."""
    found = isinstance(results, (tuple, list)) and len(results) == 3
    check(found, "context_vector should return three things: scores, weights, context", "wrong-shape")
    return results


@pytest.mark.shape
@pytest.mark.parametrize("tokens", [TOKENS, 1])
@pytest.mark.enforces("multiply it with each token, feature by feature, and sum over the features")
def test_one_score_a_token(student, tokens):
    """attention_scores returns one number a token."""
    assert_shape(student.attention_scores(quiet(tokens, D), 0), (tokens,), what="the scores")


@pytest.mark.values
@pytest.mark.needs("test_one_score_a_token")
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.enforces("the dot product of the two, nothing more")
def test_scores_are_dot_products(student, position):
    """attention_scores: the dot product of each token with the one at the position."""
    inputs = quiet(TOKENS, D)
    scores = student.attention_scores(inputs, position)
    assert_close(scores, oracle.dot_scores(inputs)[position], dims=("token",), what="the scores")


@pytest.mark.shape
@pytest.mark.parametrize("shape", [(2, TOKENS), (TOKENS,), (2, 3, TOKENS), (4, 1)])
def test_softmax_keeps_the_shape(student, shape):
    """softmax takes scores with any number of dimensions, and returns as many weights."""
    assert_shape(student.softmax(quiet(*shape)), shape, what="the weights")


@pytest.mark.values
@pytest.mark.needs("test_softmax_keeps_the_shape")
@pytest.mark.parametrize("shape", [(TOKENS,), (2, TOKENS), (2, 3, TOKENS), (3, 3)])
def test_softmax_shares_each_row_out(student, shape):
    """softmax: exponentials along the last dimension, divided by their sum."""
    scores = sample(*shape, seed=1)
    dims = ("batch", "row", "token")[3 - len(shape) :]
    assert_close(student.softmax(scores), oracle.softmax(scores), dims=dims, what="the weights")


@pytest.mark.values
@pytest.mark.needs("test_softmax_shares_each_row_out")
@pytest.mark.enforces("torch's own softmax is not to be called here, in none of its forms")
def test_softmax_is_written_by_hand(student):
    """softmax does not call torch's own softmax, log_softmax or softmin."""
    called = observe(student.softmax, quiet(2, TOKENS), watch=True).operations
    ready_made = tuple(sorted({name for name in called if "softm" in name}))
    check(not ready_made, f"softmax calls torch's own {', '.join(ready_made)}", facts=ready_made)


SHARES, BY_HAND = "test_softmax_shares_each_row_out", "test_softmax_is_written_by_hand"
EXTREME = [
    [1000.0, 1000.0, 998.0, 0.0],
    [999.0, 1000.0, 997.0, 998.0],
    [1000.0, 990.0, 1000.0, 999.0],
    [-1000.0, 0.0, -1.0, -2.0],
    [-1000.0, -1000.0, -1001.0, -999.0],
    [100.0, 99.0, 98.0, 0.0],
    [0.3, -0.2, 0.1, 0.0],
]


@pytest.mark.values
@pytest.mark.needs(BY_HAND)
def test_softmax_stands_extreme_scores(student):
    """softmax is right for very large and very small scores, in every row."""
    scores = torch.tensor(EXTREME)
    assert_close(student.softmax(scores), oracle.softmax(scores), dims=("row", "token"), what="the weights")


@pytest.mark.values
@pytest.mark.needs(BY_HAND)
@pytest.mark.enforces("Leave the tensor that you are given as it is")
def test_softmax_leaves_its_argument_alone(student):
    """softmax returns a new tensor; the scores that it is given stay as they are."""
    scores = quiet(2, TOKENS)
    assert_unmodified(observe(student.softmax, scores, inputs=True), scores)


@pytest.mark.shape
@pytest.mark.parametrize("tokens", [TOKENS, 1])
def test_context_vector_returns_three(student, tokens):
    """context_vector returns scores and weights, one a token, and a context as wide as a token."""
    results = three(student.context_vector(quiet(tokens, D), 0))
    for result, size, what in zip(
        results, (tokens, tokens, D), ("scores", "weights", "context"), strict=True
    ):
        assert_shape(result, (size,), what=f"the {what}")


RETURNS = "test_context_vector_returns_three"


@pytest.mark.values
@pytest.mark.needs(RETURNS)
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.enforces("(scores (tokens,), weights (tokens,), context (d,))")
def test_scores_come_first(student, position):
    """context_vector: its first result is the scores, before the softmax."""
    inputs = quiet(TOKENS, D)
    scores, _, _ = three(student.context_vector(inputs, position))
    assert_close(scores, oracle.dot_scores(inputs)[position], dims=("token",), what="the scores")


@pytest.mark.values
@pytest.mark.needs(RETURNS)
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.enforces("their softmax, with the function above")
def test_weights_are_the_softmax_of_the_scores(student, position):
    """context_vector: its second result is the softmax of the scores."""
    inputs = quiet(TOKENS, D)
    _, weights, _ = three(student.context_vector(inputs, position))
    expected = oracle.softmax(oracle.dot_scores(inputs))[position]
    assert_close(weights, expected, dims=("token",), what="the weights")


@pytest.mark.values
@pytest.mark.needs(RETURNS)
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.enforces("the sum of all tokens, each multiplied by its weight")
def test_context_is_the_weighted_sum(student, position):
    """context_vector: its third result is the sum of all tokens, each multiplied by its weight."""
    inputs = quiet(TOKENS, D)
    _, weights, context = three(student.context_vector(inputs, position))
    assert_shape(weights, (TOKENS,), what="the weights")
    assert_finite(weights, what="the weights")
    check(bool(weights.abs().sum() > 0.01), "all weights are 0, so nothing is summed")
    expected = oracle.weighted_sums(weights.detach()[None], inputs)[0]
    assert_close(context, expected, dims=("feature",), what="the context")


CONTEXT = "test_context_is_the_weighted_sum"
WHOLE = (CONTEXT, "test_weights_are_the_softmax_of_the_scores")


@pytest.mark.values
@pytest.mark.needs(*WHOLE)
@pytest.mark.enforces("Leave the inputs as they are")
def test_context_vector_leaves_its_argument_alone(student):
    """context_vector leaves the inputs as they are."""
    inputs = quiet(TOKENS, D)
    assert_unmodified(observe(student.context_vector, inputs, 2, inputs=True), inputs)


@pytest.mark.gradient
@pytest.mark.needs(BY_HAND)
@pytest.mark.enforces("gradients flow back through it")
def test_softmax_passes_gradients_back(student):
    """softmax passes gradients back to the scores."""
    upstream, scores = sample(2, TOKENS, seed=3), sample(2, TOKENS, seed=4)
    gradient = observe(student.softmax, scores, upstream=upstream).input_gradients[0]
    check(gradient is not None, "no gradient reaches the scores given to softmax")
    expected = oracle.input_gradient(oracle.softmax, scores, upstream)
    assert_close(gradient, expected, dims=("row", "token"), what="the gradient of the scores")


@pytest.mark.gradient
@pytest.mark.needs(*WHOLE)
def test_context_passes_gradients_back(student):
    """Gradients flow from the context back to the inputs: to query, tokens and values alike."""
    upstream, inputs = sample(D, seed=3), quiet(TOKENS, D)
    last_result = student.define(LAST_RESULT).last_result
    seen = observe(last_result, student.context_vector, inputs, 2, upstream=upstream)
    gradient = seen.input_gradients[0]
    check(gradient is not None, "no gradient reaches the inputs given to context_vector")

    def context(given):
        weights = oracle.softmax(oracle.dot_scores(given))
        return oracle.weighted_sums(weights, given)[2]

    expected = oracle.input_gradient(context, inputs, upstream)
    assert_close(gradient, expected, dims=("token", "feature"), what="the gradient of the inputs")


@pytest.mark.device
@pytest.mark.needs(BY_HAND)
@pytest.mark.enforces("The result has its dtype and its device")
def test_softmax_follows_its_input(student):
    """softmax works on the device of the scores."""
    assert_follows_device(student.softmax, quiet(2, TOKENS))


@pytest.mark.device
@pytest.mark.needs(*WHOLE)
@pytest.mark.enforces("The results have their dtype and their device")
def test_context_vector_follows_its_input(student):
    """context_vector works on the device of the inputs."""
    assert_follows_device(student.context_vector, quiet(TOKENS, D), 2)


NUMBER_TYPES = [(torch.float64, 1e-4), (torch.bfloat16, 3e-2)]


@pytest.mark.dtype
@pytest.mark.needs(BY_HAND)
@pytest.mark.parametrize(("dtype", "tolerance"), NUMBER_TYPES)
@pytest.mark.enforces("The result has its dtype and its device")
def test_softmax_keeps_the_number_type(student, dtype, tolerance):
    """softmax returns weights in the number type of the scores."""
    scores = quiet(2, TOKENS, dtype=dtype)
    weights = student.softmax(scores)
    assert_dtype(weights, dtype, what="the result of softmax")
    expected = oracle.softmax(scores)
    assert_close(weights, expected, rtol=tolerance, atol=tolerance, dims=("row", "token"), what="the weights")


@pytest.mark.dtype
@pytest.mark.needs(*WHOLE)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.enforces("The results have their dtype and their device")
def test_context_vector_keeps_the_number_type(student, dtype):
    """context_vector returns three results in the number type of the inputs."""
    results = three(student.context_vector(quiet(TOKENS, D, dtype=dtype), 2))
    for result, what in zip(results, ("scores", "weights", "context"), strict=True):
        assert_dtype(result, dtype, what=f"the {what}")


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]


@pytest.mark.book
def test_journey_matches_the_book(student):
    """Scores, weights and context of "journey" are those printed in the book."""
    scores, weights, context = three(student.context_vector(torch.tensor(INPUTS_OF_THE_BOOK), 1))
    printed = torch.tensor([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865])
    assert_close(scores, printed, dims=("token",), what="the scores")
    printed = torch.tensor([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
    assert_close(weights, printed, dims=("token",), what="the weights")
    printed = torch.tensor([0.4419, 0.6515, 0.5683])
    assert_close(context, printed, dims=("feature",), what="the context")
