"""The graded suite of scaled_dot_product: attention without and with a mask, and the worked example.

Five queries meet seven keys, so that no two sizes are the same. The two functions are judged apart.
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

BATCH, HEADS, QUERIES, KEYS, D_KEY, D_VALUE = 2, 3, 5, 7, 10, 6
ROWS = ("query", "key")
SHAPES, WEIGHTS = "test_a_pair_of_the_right_shapes", "test_weights_are_a_softmax_of_scaled_scores"
CONTEXT, MASKED = "test_context_is_a_weighted_sum_of_values", "test_blocked_keys_get_no_weight"
OWN_WORK = "test_attention_is_written_out"


def three(*leading, seed=0, scale=1.0, dtype=None):
    """Queries, keys and values with these dimensions in front."""
    return (
        sample(*leading, QUERIES, D_KEY, seed=seed, scale=scale, dtype=dtype),
        sample(*leading, KEYS, D_KEY, seed=seed, scale=scale, dtype=dtype),
        sample(*leading, KEYS, D_VALUE, seed=seed, dtype=dtype),
    )


def some_keys_blocked():
    """(queries, keys) of bool, another pattern in each row; two or three keys of seven are blocked."""
    query, key = torch.arange(QUERIES)[:, None], torch.arange(KEYS)
    return (query + 2 * key) % 3 == 0


def two_queries_blocked():
    """(batch, queries, keys) of bool: in each item another query has nothing to see."""
    mask = some_keys_blocked().repeat(BATCH, 1, 1)
    mask[0, 3] = mask[1, 0] = True
    return mask


def a_pair(result):
    """The context and the weights that were returned."""
    check(
        isinstance(result, (tuple, list)) and len(result) == 2,
        "scaled_dot_product_attention does not return a pair, the context and the weights",
        facts=(type(result).__name__,),
    )
    return result


def attended(student, *inputs, **kwargs):
    """Context and weights of one call."""
    return a_pair(student.scaled_dot_product_attention(*inputs, **kwargs))


def dims(leading, *last):
    """What the dimensions of a result are called."""
    return (*("item", "head")[: len(leading)], *last)


@pytest.mark.shape
@pytest.mark.parametrize("leading", [(BATCH,), (), (BATCH, HEADS)])
def test_a_pair_of_the_right_shapes(student, leading):
    """The context is (..., queries, d_v), the weights are (..., queries, keys), whatever is in front."""
    context, weights = attended(student, *three(*leading))
    assert_shape(context, (*leading, QUERIES, D_VALUE), what="the context")
    assert_shape(weights, (*leading, QUERIES, KEYS), what="the weights")


@pytest.mark.values
@pytest.mark.needs(SHAPES)
@pytest.mark.parametrize("leading", [(BATCH,), (), (BATCH, HEADS)])
def test_weights_are_a_softmax_of_scaled_scores(student, leading):
    """The weights of a query are the softmax, over the keys, of its scores divided by sqrt(d_k)."""
    inputs = three(*leading, seed=1)
    _, weights = attended(student, *inputs)
    _, expected = oracle.scaled_dot_product(*inputs)
    assert_close(weights, expected, dims=dims(leading, *ROWS), what="the weights")


@pytest.mark.values
@pytest.mark.needs(WEIGHTS)
@pytest.mark.parametrize("leading", [(BATCH,), (), (BATCH, HEADS)])
def test_context_is_a_weighted_sum_of_values(student, leading):
    """The context of a query is the sum of the values, each times its weight."""
    inputs = three(*leading, seed=1)
    context, _ = attended(student, *inputs)
    expected, _ = oracle.scaled_dot_product(*inputs)
    assert_close(context, expected, dims=dims(leading, "query", "feature"), what="the context")


@pytest.mark.values
@pytest.mark.needs(CONTEXT)
def test_attention_is_written_out(student):
    """torch.nn.functional.scaled_dot_product_attention is not called."""
    seen = observe(student.scaled_dot_product_attention, *three(BATCH), some_keys_blocked(), watch=True)
    check(
        "scaled_dot_product_attention" not in seen.operations,
        "torch's own scaled_dot_product_attention is called; here it is to be written out",
    )


@pytest.mark.values
@pytest.mark.needs(CONTEXT)
def test_loud_scores(student):
    """Scores in the hundreds give weights that are right and finite."""
    inputs = three(BATCH, seed=2, scale=8.0)
    _, weights = attended(student, *inputs)
    _, expected = oracle.scaled_dot_product(*inputs)
    assert_close(weights, expected, rtol=2e-3, atol=2e-3, dims=("item", *ROWS), what="the weights")


@pytest.mark.values
@pytest.mark.needs(MASKED)
@pytest.mark.enforces("Leave the tensors that you are given as they are.")
def test_arguments_are_left_alone(student):
    """Queries, keys, values and mask are after the call what they were before it."""
    inputs = (*three(BATCH), some_keys_blocked())
    seen = observe(student.scaled_dot_product_attention, *inputs, inputs=True)
    assert_unmodified(seen, *inputs)


@pytest.mark.mask
@pytest.mark.needs(OWN_WORK)
def test_blocked_keys_get_no_weight(student):
    """What is blocked has the weight 0; the other weights are a softmax over what may be seen."""
    inputs, mask = three(BATCH, seed=3), some_keys_blocked()
    _, weights = attended(student, *inputs, mask=mask)
    assert_shape(weights, (BATCH, QUERIES, KEYS), what="the weights")
    check(not (weights[:, mask].abs() > 1e-12).any(), "a blocked key has some weight")
    _, expected = oracle.scaled_dot_product(*inputs, mask)
    assert_close(weights, expected, dims=("item", *ROWS), what="the weights")


@pytest.mark.mask
@pytest.mark.needs(MASKED)
def test_context_uses_the_masked_weights(student):
    """The context is made with the weights that are returned, so nothing of a blocked value is in it."""
    inputs, mask = three(BATCH, seed=3), some_keys_blocked()
    context, _ = attended(student, *inputs, mask=mask)
    expected, _ = oracle.scaled_dot_product(*inputs, mask)
    assert_close(context, expected, dims=("item", "query", "feature"), what="the context")


@pytest.mark.mask
@pytest.mark.needs(MASKED)
@pytest.mark.parametrize(
    ("leading", "shape"),
    [
        ((), (QUERIES, KEYS)),
        ((BATCH,), (KEYS,)),
        ((BATCH,), (BATCH, 1, KEYS)),
        ((BATCH,), (BATCH, QUERIES, KEYS)),
        ((BATCH, HEADS), (QUERIES, KEYS)),
        ((BATCH, HEADS), (BATCH, 1, 1, KEYS)),
    ],
)
def test_masks_broadcast(student, leading, shape):
    """A mask of any shape that broadcasts to the scores: one for all, one a sequence, one a pair."""
    inputs = three(*leading, seed=4)
    mask = sample(*shape, seed=4) > 0.3
    mask[..., 2] = False  # no query is left without keys
    _, weights = attended(student, *inputs, mask=mask)
    _, expected = oracle.scaled_dot_product(*inputs, mask)
    assert_close(weights, expected, dims=dims(leading, *ROWS), what="the weights")


@pytest.mark.mask
@pytest.mark.needs("test_context_uses_the_masked_weights")
def test_a_query_without_keys_gets_zeros(student):
    """A query whose keys are all blocked gets the weights 0 and the context 0; the others are as ever."""
    inputs, mask = three(BATCH, seed=5), two_queries_blocked()
    context, weights = attended(student, *inputs, mask=mask)
    expected_context, expected = oracle.scaled_dot_product(*inputs, mask)
    assert_close(weights, expected, dims=("item", *ROWS), what="the weights")
    assert_close(context, expected_context, dims=("item", "query", "feature"), what="the context")


@pytest.mark.gradient
@pytest.mark.needs("test_a_query_without_keys_gets_zeros", "test_gradients_reach_all_three")
def test_a_query_without_keys_leaves_gradients_finite(student):
    """Where all keys of a query are blocked, the gradients are still finite and those of the formula."""
    gradients_agree(student, two_queries_blocked())


@pytest.mark.gradient
@pytest.mark.needs(OWN_WORK)
def test_gradients_reach_all_three(student):
    """Queries, keys and values get the gradients of the formula."""
    gradients_agree(student, None)


def gradients_agree(student, mask):
    """The gradients of queries, keys and values are those of the oracle."""
    inputs, upstream = three(BATCH, seed=6), sample(BATCH, QUERIES, D_VALUE, seed=7)
    seen = observe(student.scaled_dot_product_attention, *inputs, mask=mask, upstream=upstream)
    for place, what in enumerate(("queries", "keys", "values")):

        def context(given, place=place):
            changed = [*inputs[:place], given, *inputs[place + 1 :]]
            return oracle.scaled_dot_product(*changed, mask)[0]

        gradient = seen.input_gradients[place]
        check(gradient is not None, f"no gradient reaches the {what}", facts=(what,))
        assert_finite(gradient, what=f"the gradient of the {what}")
        expected = oracle.input_gradient(context, inputs[place], upstream)
        assert_close(gradient, expected, rtol=1e-3, atol=1e-3, what=f"the gradient of the {what}")


@pytest.mark.device
@pytest.mark.needs(MASKED)
def test_everything_follows_the_input(student):
    """Context and weights are made on the device of the queries."""
    assert_follows_device(student.scaled_dot_product_attention, *three(BATCH), some_keys_blocked())


@pytest.mark.dtype
@pytest.mark.needs(MASKED)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-5), (torch.bfloat16, 4e-2)])
def test_number_type_is_kept(student, dtype, tolerance):
    """Context and weights come back in the dtype of the queries."""
    inputs, mask = three(BATCH, scale=0.7, dtype=dtype), some_keys_blocked()
    context, weights = attended(student, *inputs, mask=mask)
    assert_dtype(weights, dtype, what="the weights")
    assert_dtype(context, dtype, what="the context")
    _, expected = oracle.scaled_dot_product(*inputs, mask)
    assert_close(weights, expected, rtol=tolerance, atol=tolerance, dims=("item", *ROWS), what="the weights")


# --- the worked example


D_K = 3  # the lecture's
THREE, SCALED = "test_worked_example_returns_three", "test_worked_example_scales_by_the_root_of_three"
ROW_WEIGHTS, OUTPUT = "test_worked_example_weights", "test_worked_example_output"


def worked(student, tokens, seed=0):
    """Scores, values, and what worked_example returns for them."""
    scores, values = sample(tokens, tokens, seed=seed, scale=2.0), sample(tokens, 4, seed=seed)
    result = student.worked_example(scores, values)
    check(
        isinstance(result, (tuple, list)) and len(result) == 3,
        "worked_example does not return three tensors",
        facts=(type(result).__name__,),
    )
    return scores, values, result


@pytest.mark.shape
@pytest.mark.enforces(
    "returns three tensors: scaled (tokens, tokens), weights (tokens, tokens), output (tokens, d_v)"
)
def test_worked_example_returns_three(student):
    """worked_example returns scaled (3, 3), weights (3, 3) and output (3, d_v)."""
    _, _, (scaled, weights, output) = worked(student, 3)
    assert_shape(scaled, (3, 3), what="the scaled scores")
    assert_shape(weights, (3, 3), what="the weights")
    assert_shape(output, (3, 4), what="the output")


@pytest.mark.values
@pytest.mark.needs(THREE)
def test_worked_example_scales_by_the_root_of_three(student):
    """worked_example: scaled is the scores divided by the square root of D_K, every digit of it."""
    scores, _, (scaled, _, _) = worked(student, 3, seed=1)
    assert_close(scaled, scores.double() / D_K**0.5, dims=ROWS, what="the scaled scores")


@pytest.mark.values
@pytest.mark.needs(SCALED)
def test_worked_example_weights(student):
    """worked_example: each row of the weights is the softmax of that row of the scaled scores."""
    scores, _, (_, weights, _) = worked(student, 3, seed=1)
    assert_close(weights, oracle.softmax(scores.double() / D_K**0.5), dims=ROWS, what="the weights")


@pytest.mark.values
@pytest.mark.needs(ROW_WEIGHTS)
def test_worked_example_output(student):
    """worked_example: a row of the output is the sum of the values, each times its weight in that row."""
    scores, values, (_, _, output) = worked(student, 3, seed=1)
    expected = oracle.softmax(scores.double() / D_K**0.5) @ values.double()
    assert_close(output, expected, dims=("token", "feature"), what="the output")


@pytest.mark.values
@pytest.mark.needs(OUTPUT)
def test_worked_example_of_a_longer_sentence(student):
    """worked_example: d_k is 3 for a sentence of five tokens too."""
    scores, _, (scaled, weights, _) = worked(student, 5)
    expected = scores.double() / D_K**0.5
    assert_close(scaled, expected, dims=ROWS, what="the scaled scores of five tokens")
    assert_close(weights, oracle.softmax(expected), dims=ROWS, what="the weights of five tokens")


@pytest.mark.values
@pytest.mark.needs(OUTPUT)
def test_worked_example_leaves_its_arguments_alone(student):
    """worked_example returns new tensors; scores and values stay as they are."""
    inputs = sample(3, 3, scale=2.0), sample(3, 4)
    assert_unmodified(observe(student.worked_example, *inputs, inputs=True), *inputs)


QUERY_OF_THE_BOOK = [[0.4306, 1.4551]]
KEYS_OF_THE_BOOK = [
    [0.3669, 0.7646],
    [0.4433, 1.1419],
    [0.4361, 1.1156],
    [0.2408, 0.6706],
    [0.1827, 0.3292],
    [0.3275, 0.9642],
]
VALUES_OF_THE_BOOK = [
    [0.1855, 0.8812],
    [0.3951, 1.0037],
    [0.3879, 0.9831],
    [0.2393, 0.5493],
    [0.1492, 0.3346],
    [0.3221, 0.7863],
]


@pytest.mark.book
@pytest.mark.needs(CONTEXT)
def test_matches_the_book(student):
    """The query of the book's second token gets the weights and the context that are printed there."""
    inputs = map(torch.tensor, (QUERY_OF_THE_BOOK, KEYS_OF_THE_BOOK, VALUES_OF_THE_BOOK))
    context, weights = attended(student, *inputs)
    printed = torch.tensor([[0.1500, 0.2264, 0.2199, 0.1311, 0.0906, 0.1820]])
    assert_close(weights, printed, atol=2e-4, dims=ROWS, what="the weights")
    printed = torch.tensor([[0.3061, 0.8210]])
    assert_close(context, printed, atol=2e-4, dims=("query", "feature"), what="the context")
