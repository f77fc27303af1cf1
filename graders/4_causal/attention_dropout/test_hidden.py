"""The graded suite of attention_dropout: laws that every right way to draw obeys, whatever the draws.

Numbers of dropped weights are judged within five sigma. No check compares a pattern of zeros.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_rate,
    assert_shape,
    assert_unmodified,
    check,
    must_raise,
    observe,
    sample,
)

ITEMS, HEADS, TOKENS = 100, 3, 7
RATES = [0.2, 0.7]
DIMS = ("batch", "matrix", "query", "key")


def finished_weights(*shape, dtype=torch.float32):
    """Attention weights as a softmax leaves them: each row sums to 1, and none is 0."""
    return oracle.softmax(sample(*shape)).to(dtype)


def trained(student, rate, seed=11):
    """One table of weights many times over, and what becomes of it in training."""
    weights = finished_weights(TOKENS, TOKENS).repeat(ITEMS, HEADS, 1, 1)
    result = observe(student.attention_dropout, weights, rate, True, seed=seed).value
    assert_shape(result, weights.shape, what="the result")
    assert_finite(result, what="the result")
    return weights, result


@pytest.mark.shape
@pytest.mark.enforces("what you return has its shape, number type and device")
@pytest.mark.parametrize("leading", [(2,), (), (2, 3)])
def test_shape_is_kept(student, leading):
    """One table of weights, a batch of them, or a batch of several heads, in training and outside."""
    weights = finished_weights(*leading, TOKENS, TOKENS)
    outside = observe(student.attention_dropout, weights, 0.2, False, seed=3).value
    assert_shape(outside, weights.shape, what="the result outside training")
    inside = observe(student.attention_dropout, weights, 0.2, True, seed=3).value
    assert_shape(inside, weights.shape, what="the result in training")


@pytest.mark.dropout
@pytest.mark.enforces("Each weight is set to 0 with probability `rate`")
@pytest.mark.parametrize("rate", RATES)
def test_weights_are_dropped_at_the_rate(student, rate):
    """In training each weight is dropped with probability rate."""
    _, result = trained(student, rate)
    gone = result == 0
    assert_rate(gone.double().mean().item(), rate, gone.numel(), what="the rate at which weights are dropped")


@pytest.mark.dropout
@pytest.mark.enforces("Each weight is set to 0 with probability `rate`, whatever happens to the others")
def test_weights_are_dropped_one_by_one(student):
    """Whether a weight is dropped says nothing about the others: not in its row, column, head or batch."""
    _, result = trained(student, 0.2)
    gone = result == 0
    rate = gone.double().mean().item()
    words = f"in training {'no weight is' if rate == 0.0 else 'all weights are'} dropped"
    check(0.0 < rate < 1.0, words, facts=(rate == 0.0,))
    pairs = {
        "two keys of one query": gone[..., 0:6:2] & gone[..., 1:6:2],
        "two queries of one key": gone[..., 0:6:2, :] & gone[..., 1:6:2, :],
        "equal places of two matrices": gone[:, 0] & gone[:, 1],
        "equal places of two items of the batch": gone[0::2] & gone[1::2],
    }
    for where, both in pairs.items():
        words = f"the rate at which {where} are dropped together"
        assert_rate(both.double().mean().item(), round(rate**2, 4), both.numel(), what=words)


@pytest.mark.dropout
def test_every_call_draws_anew(student):
    """Another call drops other weights, and another number of them."""
    weights = finished_weights(2, HEADS, TOKENS, TOKENS)
    calls = 12
    results = observe(student.attention_dropout, weights, 0.2, True, seed=5, times=calls).value
    assert_shape(results, (calls, *weights.shape), what=f"the results of {calls} calls")
    gone = results == 0
    rate = gone.double().mean().item()
    words = f"in training {'no weight is' if rate == 0.0 else 'all weights are'} dropped"
    check(0.0 < rate < 1.0, words, facts=(rate == 0.0,))
    both = gone[0::2] & gone[1::2]
    words = "the rate at which two calls drop the same weight"
    assert_rate(both.double().mean().item(), round(rate**2, 4), both.numel(), what=words)
    numbers = gone.flatten(1).sum(dim=1).unique()
    check(len(numbers) > 1, f"each of {calls} calls drops exactly the same number of weights")


DROPPED, SURVIVORS = "test_weights_are_dropped_at_the_rate", "test_survivors_are_enlarged"


@pytest.mark.dropout
@pytest.mark.needs(DROPPED)
def test_nothing_happens_outside_training(student):
    """Outside training the weights come back as they are, whatever the rate."""
    weights = finished_weights(2, HEADS, TOKENS, TOKENS)
    result = observe(student.attention_dropout, weights, 0.2, False, seed=7).value
    assert_close(result, weights, dims=DIMS, what="the result outside training")


@pytest.mark.values
@pytest.mark.parametrize("rate", RATES)
def test_survivors_are_enlarged(student, rate):
    """In training every weight becomes 0 or is divided by 1 - rate."""
    weights, result = trained(student, rate)
    gone = result == 0
    check(bool(gone.any()), "in training no weight is dropped", facts=("none",))
    check(not gone.all(), "in training all weights are dropped", facts=("all",))
    expected = torch.where(gone, 0.0, weights.double() / (1 - rate))
    assert_close(result, expected, dims=DIMS, what="the weights that were not dropped")


@pytest.mark.values
@pytest.mark.needs(SURVIVORS)
@pytest.mark.enforces("Its mean is 0.2 · 0 + 0.8 · 0.5 = 0.4, as before.")
@pytest.mark.parametrize("rate", RATES)
def test_mean_is_kept(student, rate):
    """On average over many draws a weight is what it was."""
    weights, result = trained(student, rate, seed=13)
    mean = (result.double() / weights.double()).mean().item()
    sigma = (rate / (1 - rate) / weights.numel()) ** 0.5
    words = f"weights should keep their mean; over {weights.numel()} draws yours is {mean:.3f} times as large"
    check(abs(mean - 1) <= 5 * sigma, words, facts=(round(mean, 1),))


@pytest.mark.values
@pytest.mark.needs(SURVIVORS)
@pytest.mark.parametrize(
    ("rate", "dtype"),
    [(0.0, torch.float32), (1.0, torch.float32), (0.0, torch.bfloat16)],  # bfloat16 has few draws: one is 0
)
def test_extreme_rates(student, rate, dtype):
    """With a rate of 0 all weights stay as they are, with a rate of 1 the result is zeros."""
    weights = finished_weights(ITEMS, HEADS, TOKENS, TOKENS, dtype=dtype)
    result = observe(student.attention_dropout, weights, rate, True, seed=17).value
    expected = weights if rate == 0 else torch.zeros_like(weights)
    assert_close(result, expected, dims=DIMS, what=f"the result at a rate of {rate:g}")


@pytest.mark.values
@pytest.mark.needs(SURVIVORS)
@pytest.mark.enforces("Leave the tensor that you are given as it is")
def test_input_is_left_alone(student):
    """The weights that are given stay as they are; the result is another tensor."""
    weights = finished_weights(2, TOKENS, TOKENS)
    seen = observe(student.attention_dropout, weights, 0.2, True, seed=19, inputs=True)
    assert_unmodified(seen, weights)


@pytest.mark.values
@pytest.mark.needs(SURVIVORS)
def test_dropout_is_written_by_hand(student):
    """Torch's own dropout is not called."""
    weights = finished_weights(2, TOKENS, TOKENS)
    called = observe(student.attention_dropout, weights, 0.2, True, seed=23, watch=True).operations
    ready = sorted({name for name in called if "dropout" in name})
    check(not ready, f"your code calls torch's own {', '.join(ready)}", facts=tuple(ready))


@pytest.mark.gradient
@pytest.mark.needs(SURVIVORS)
def test_gradients_flow_through_survivors(student):
    """A survivor passes its gradient back, divided by 1 - rate; a dropped weight passes none."""
    weights, upstream = finished_weights(2, TOKENS, TOKENS), sample(2, TOKENS, TOKENS, seed=1)
    seen = observe(student.attention_dropout, weights, 0.2, True, seed=29, upstream=upstream)
    gradient = seen.input_gradients[0]
    check(gradient is not None, "no gradient reaches the weights")
    assert_shape(seen.value, weights.shape, what="the result")
    expected = torch.where(seen.value == 0, 0.0, upstream / (1 - 0.2))
    assert_close(gradient, expected, dims=DIMS, what="the gradient of the weights")


@pytest.mark.device
@pytest.mark.needs(SURVIVORS)
def test_device_is_that_of_the_weights(student):
    """Numbers are drawn, and the result is, on the device of the weights."""
    assert_follows_device(student.attention_dropout, finished_weights(2, TOKENS, TOKENS), 0.2, True)


@pytest.mark.dtype
@pytest.mark.needs(SURVIVORS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-6), (torch.bfloat16, 2e-2)])
def test_number_type_is_kept(student, dtype, tolerance):
    """The result has the number type of the weights."""
    weights = finished_weights(2, TOKENS, TOKENS, dtype=dtype)
    result = observe(student.attention_dropout, weights, 0.2, True, seed=31).value
    assert_dtype(result, dtype, what="the result")
    assert_shape(result, weights.shape, what="the result")
    expected = torch.where(result == 0, 0.0, weights.double() / (1 - 0.2))
    assert_close(result, expected, rtol=tolerance, atol=tolerance, dims=DIMS, what="the result")


@pytest.mark.errors
@pytest.mark.needs(SURVIVORS)
@pytest.mark.parametrize("rate", [-0.1, 1.1])
def test_rate_must_be_a_probability(student, rate):
    """A rate below 0 or above 1 raises an error."""
    weights = finished_weights(2, TOKENS, TOKENS)
    must_raise(student.attention_dropout, weights, rate, True, what=f"a rate of {rate:g}")


WEIGHTS_OF_THE_BOOK = [
    [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.5517, 0.4483, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.3800, 0.3097, 0.3103, 0.0000, 0.0000, 0.0000],
    [0.2758, 0.2460, 0.2462, 0.2319, 0.0000, 0.0000],
    [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0.0000],
    [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529],
]
SURVIVORS_OF_THE_BOOK = {
    (0, 0): 2.0,
    (2, 0): 0.7599,
    (2, 1): 0.6194,
    (2, 2): 0.6206,
    (3, 1): 0.4921,
    (5, 3): 0.3084,
}


@pytest.mark.book
def test_survivors_match_the_book(student):
    """At a rate of 0.5 the book's causal weights, where they survive, have the sizes printed there."""
    tables = torch.tensor(WEIGHTS_OF_THE_BOOK).repeat(50, 1, 1)
    result = observe(student.attention_dropout, tables, 0.5, True, seed=37).value
    assert_shape(result, tables.shape, what="the result")
    for (query, key), size in SURVIVORS_OF_THE_BOOK.items():
        largest = result[:, query, key].amax()
        words = f"weight {key} of query {query}, where it survives"
        assert_close(largest, torch.tensor(size), atol=3e-4, what=words)
