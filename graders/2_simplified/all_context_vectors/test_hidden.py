"""The graded suite of all_context_vectors: three tables, a softmax along the rows, and no loop."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    observe,
    sample,
)

TOKENS, D = 7, 10
ROWS = ("query", "token")

LAST_RESULT = """
def last_result(function, *args):
    return function(*args)[2]
"""


def quiet(*shape, seed=0, dtype=torch.float32):
    """Inputs of ordinary size: every token keeps a weight that can be seen."""
    return sample(*shape, seed=seed, scale=0.5, dtype=dtype)


def three(results):
    """Scores, weights and contexts, after a look whether there are three."""
    found = isinstance(results, (tuple, list)) and len(results) == 3
    check(found, "all_context_vectors should return three things: scores, weights, contexts", "wrong-shape")
    return results


def expected_weights(inputs):
    """The softmax of each row of scores."""
    return oracle.softmax(oracle.dot_scores(inputs))


def expected_contexts(inputs):
    """The tokens, weighted and added up, for each query."""
    return oracle.weighted_sums(expected_weights(inputs), inputs)


@pytest.mark.shape
@pytest.mark.parametrize(("tokens", "d"), [(TOKENS, D), (4, 4), (1, D)])
@pytest.mark.enforces("(scores (tokens, tokens), weights (tokens, tokens), contexts (tokens, d))")
def test_three_tables(student, tokens, d):
    """Scores and weights have a row and a column a token; contexts have the shape of the inputs."""
    scores, weights, contexts = three(student.all_context_vectors(quiet(tokens, d)))
    assert_shape(scores, (tokens, tokens), what="the scores")
    assert_shape(weights, (tokens, tokens), what="the weights")
    assert_shape(contexts, (tokens, d), what="the contexts")


@pytest.mark.values
@pytest.mark.enforces("the dot product of each token (row) with each token (column), itself included")
def test_scores_are_all_dot_products(student):
    """The scores are the dot products of every token with every token."""
    inputs = quiet(TOKENS, D)
    scores, _, _ = three(student.all_context_vectors(inputs))
    assert_close(scores, oracle.dot_scores(inputs), dims=ROWS, what="the scores")


@pytest.mark.values
@pytest.mark.enforces("each row of $W$ sums to 1")
def test_each_row_sums_to_one(student):
    """Each row of the weights sums to 1, and no weight is negative."""
    _, weights, _ = three(student.all_context_vectors(quiet(TOKENS, D)))
    assert_shape(weights, (TOKENS, TOKENS), what="the weights")
    assert_close(weights.sum(dim=-1), torch.ones(TOKENS), dims=("query",), what="the sums of the rows")
    check(bool((weights >= 0).all()), "some weights are negative")


@pytest.mark.values
@pytest.mark.enforces("the softmax of each row")
def test_weights_are_the_softmax_of_each_row(student):
    """The weights are the softmax of the scores, row by row."""
    inputs = quiet(TOKENS, D)
    _, weights, _ = three(student.all_context_vectors(inputs))
    assert_close(weights, expected_weights(inputs), dims=ROWS, what="the weights")


@pytest.mark.values
@pytest.mark.parametrize(("tokens", "d"), [(TOKENS, D), (4, 4), (1, D)])
@pytest.mark.enforces("for each row of weights, the sum of all tokens multiplied by them")
def test_contexts_are_weighted_sums(student, tokens, d):
    """Each context vector is the sum of all tokens, multiplied by the weights of its row."""
    inputs = quiet(tokens, d)
    _, _, contexts = three(student.all_context_vectors(inputs))
    assert_close(contexts, expected_contexts(inputs), dims=("token", "feature"), what="the contexts")


SCORES, CONTEXTS = "test_scores_are_all_dot_products", "test_contexts_are_weighted_sums"


@pytest.mark.values
@pytest.mark.needs(CONTEXTS)
def test_loud_inputs(student):
    """Inputs with scores in the hundreds give contexts that are right and finite."""
    inputs = sample(TOKENS, D, scale=6.0)
    inputs[3:] *= 0.05  # some rows are quiet
    _, _, contexts = three(student.all_context_vectors(inputs))
    expected = expected_contexts(inputs)
    dims = ("token", "feature")
    assert_close(contexts, expected, rtol=1e-3, atol=1e-3, dims=dims, what="the contexts")


@pytest.mark.values
@pytest.mark.needs(CONTEXTS)
@pytest.mark.enforces("Leave the inputs as they are")
def test_inputs_are_left_alone(student):
    """The inputs are the same after the call as before it."""
    inputs = quiet(TOKENS, D)
    assert_unmodified(observe(student.all_context_vectors, inputs, inputs=True), inputs)


@pytest.mark.vectorised
@pytest.mark.needs("test_three_tables", SCORES)
def test_operations_do_not_grow(student):
    """Nine tokens take as many torch operations as four."""
    four = len(observe(student.all_context_vectors, quiet(4, D), watch=True).operations)
    nine = len(observe(student.all_context_vectors, quiet(9, D), watch=True).operations)
    says = f"4 tokens take {four} torch operations, 9 tokens take {nine}"
    check(four == nine, says, facts=("more" if nine > four else "fewer",))


@pytest.mark.gradient
@pytest.mark.needs(CONTEXTS)
def test_contexts_pass_gradients_back(student):
    """Gradients flow from the contexts back to the inputs, on all their three ways."""
    upstream, inputs = sample(TOKENS, D, seed=3), quiet(TOKENS, D)
    last_result = student.define(LAST_RESULT).last_result
    seen = observe(last_result, student.all_context_vectors, inputs, upstream=upstream)
    gradient = seen.input_gradients[0]
    check(gradient is not None, "no gradient reaches the inputs given to all_context_vectors")
    expected = oracle.input_gradient(expected_contexts, inputs, upstream)
    assert_close(gradient, expected, dims=("token", "feature"), what="the gradient of the inputs")


@pytest.mark.device
@pytest.mark.needs(CONTEXTS)
@pytest.mark.enforces("The results have their dtype and their device")
def test_results_follow_the_inputs(student):
    """Everything is made on the device of the inputs."""
    assert_follows_device(student.all_context_vectors, quiet(TOKENS, D))


@pytest.mark.dtype
@pytest.mark.needs(CONTEXTS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """All three results have the number type of the inputs."""
    results = three(student.all_context_vectors(quiet(TOKENS, D, dtype=dtype)))
    for result, what in zip(results, ("scores", "weights", "contexts"), strict=True):
        assert_dtype(result, dtype, what=f"the {what}")


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
CONTEXTS_OF_THE_BOOK = [
    [0.4421, 0.5931, 0.5790],
    [0.4419, 0.6515, 0.5683],
    [0.4431, 0.6496, 0.5671],
    [0.4304, 0.6298, 0.5510],
    [0.4671, 0.5910, 0.5266],
    [0.4177, 0.6503, 0.5645],
]


@pytest.mark.book
def test_contexts_match_the_book(student):
    """The context vectors of the book's sentence are those printed there."""
    _, _, contexts = three(student.all_context_vectors(torch.tensor(INPUTS_OF_THE_BOOK)))
    printed = torch.tensor(CONTEXTS_OF_THE_BOOK)
    assert_close(contexts, printed, dims=("token", "feature"), what="the contexts")
