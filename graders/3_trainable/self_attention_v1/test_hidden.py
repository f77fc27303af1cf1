"""The graded suite of SelfAttention_v1. Weights are pushed, expected values come from the oracle.

All checks but one use a single sequence, so that a class which cannot take a batch loses that one. What
the matrices are kept in, and which way round, has a check of its own: the others take what they find.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_gradients_reach,
    assert_shape,
    assert_unmodified,
    check,
    describe,
    observe,
    push,
    sample,
    with_weights,
)

BATCH, TOKENS, D_IN, D_OUT = 2, 7, 10, 12
NAMES = ("W_query", "W_key", "W_value")
PUT = """
def put(module, name, matrix):
    setattr(module, name, matrix)
"""


def fill(student, attention, matrices):
    """Put matrices, each (d_in, d_out), into the module, in whatever layout it keeps them."""
    parts = describe(attention)
    state, plain = {}, {}
    for name, matrix in matrices.items():
        place = next((key for key in (name, f"{name}.weight") if key in parts.parameters), None)
        found = parts.parameters[place] if place else parts.plain.get(name)
        has = (*parts.parameters, *parts.plain)
        words = f"the module has no parameter {name}; found in it: {', '.join(has) or 'nothing'}"
        check(found is not None, words, facts=(name, *has))
        fits = found.shape in (tuple(matrix.shape), tuple(matrix.T.shape))
        check(fits, f"{name} has shape {found.shape}, for d_in=10 and d_out=12", facts=(name, found.shape))
        upright = found.shape == tuple(matrix.shape)
        (state if place else plain)[place or name] = matrix if upright else matrix.T.contiguous()
    push(attention, state)
    for name, matrix in plain.items():
        student.define(PUT).put(attention, name, matrix)


def built(student):
    """A module with pushed weights, and these weights as layers hold them, (d_out, d_in)."""
    attention = student.SelfAttention_v1(D_IN, D_OUT)
    with_weights(attention)  # whatever else there is
    drawn = {name: sample(D_IN, D_OUT, seed=k) * (2 / D_IN**0.5) for k, name in enumerate(NAMES)}
    fill(student, attention, drawn)
    return attention, {f"{name}.weight": matrix.T for name, matrix in drawn.items()}


@pytest.mark.shape
@pytest.mark.enforces("x (tokens, d_in) -> context (tokens, d_out)")
def test_one_context_vector_a_token(student):
    """(tokens, d_in) goes in, (tokens, d_out) comes out."""
    attention, _ = built(student)
    assert_shape(attention(sample(TOKENS, D_IN)), (TOKENS, D_OUT), what="the context")


@pytest.mark.values
@pytest.mark.enforces("the values of all tokens, weighted by its query and their keys")
def test_each_query_finds_its_key(student):
    """A query that matches one key far better than all others gets the value of that key."""
    attention, _ = built(student)
    wanted = torch.tensor([2, 2, 5, 0, 0, 1, 4])  # whose key each token's query matches
    one_hot = torch.eye(D_OUT)
    queries, keys = torch.zeros(D_IN, D_OUT), torch.zeros(D_IN, D_OUT)
    queries[:TOKENS] = 200.0 * one_hot[wanted]  # far apart, with or without the right scale
    keys[:TOKENS] = one_hot[:TOKENS]
    values = sample(D_IN, D_OUT, seed=3)
    fill(student, attention, {"W_query": queries, "W_key": keys, "W_value": values})
    context = attention(torch.eye(D_IN)[:TOKENS])
    assert_close(context, values[wanted], rtol=1e-3, atol=1e-3, what="the context")


@pytest.mark.values
@pytest.mark.parametrize("tokens", [TOKENS, 2])
def test_context_is_a_weighted_sum_of_values(student, tokens):
    """softmax(Q K^T / sqrt(d_k)) V over all tokens; a second call agrees, and the input stays."""
    attention, weights = built(student)
    x = sample(tokens, D_IN)
    seen = observe(attention, x, times=2, inputs=True)
    expected = oracle.self_attention(weights, x)
    dims = ("call", "token", "feature")
    assert_close(seen.value, torch.stack([expected, expected]), dims=dims, what="the context")
    assert_unmodified(seen, x)


CORE = "test_context_is_a_weighted_sum_of_values"


@pytest.mark.values
@pytest.mark.needs(CORE)
def test_batches(student):
    """A batch of sequences: each gets the context vectors that it gets alone."""
    attention, weights = built(student)
    x = sample(BATCH, TOKENS, D_IN)
    assert_close(attention(x), oracle.self_attention(weights, x), what="the context")


@pytest.mark.values
@pytest.mark.needs(CORE)
def test_loud_inputs(student):
    """Inputs eight times as large give scores in the hundreds, and a context that is right and finite."""
    attention, weights = built(student)
    x = sample(TOKENS, D_IN, scale=8.0)
    assert_close(attention(x), oracle.self_attention(weights, x), rtol=1e-3, atol=1e-3, what="the context")


@pytest.mark.values
@pytest.mark.needs(CORE)
def test_attention_is_written_out(student):
    """The attention is written out: torch's ready-made attention is not called."""
    attention, _ = built(student)
    called = observe(attention, sample(TOKENS, D_IN), watch=True).operations
    ready = sorted({name for name in called if "attention" in name or "multi_head" in name})
    check(not ready, f"your code calls torch's ready-made {', '.join(ready)}", facts=tuple(ready))


@pytest.mark.gradient
@pytest.mark.needs(CORE)
def test_gradients_reach_parameters_and_input(student):
    """All three matrices learn, and the gradient of the input is that of attention."""
    attention, weights = built(student)
    x, upstream = sample(TOKENS, D_IN), sample(TOKENS, D_OUT, seed=1)
    seen = observe(attention, x, upstream=upstream)
    assert_gradients_reach(seen, *(name for name in seen.parameter_gradients if name.split(".")[0] in NAMES))
    expected = oracle.input_gradient(lambda given: oracle.self_attention(weights, given), x, upstream)
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=1e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs(CORE)
@pytest.mark.enforces("it is trained, saved and moved with it")
def test_everything_moves_to_another_device(student):
    """After .to(device) no tensor is left behind, and none is made on the CPU on the way."""
    attention, _ = built(student)
    assert_follows_device(attention, sample(TOKENS, D_IN))


@pytest.mark.dtype
@pytest.mark.needs(CORE)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it."""
    attention, weights = built(student)
    x = sample(TOKENS, D_IN).to(dtype)
    context = attention.to(dtype)(x)
    assert_dtype(context, dtype, what="the context")
    assert_finite(context, what="the context")
    if dtype == torch.float64:
        assert_close(context, oracle.self_attention(weights, x), what="the context")


@pytest.mark.state
@pytest.mark.needs(CORE)
def test_parameters_are_three_matrices(student):
    """The parameters are W_query, W_key and W_value, each (d_in, d_out), and no others."""
    attention, _ = built(student)
    has = {name: facts.shape for name, facts in describe(attention).parameters.items()}
    words = ", ".join(f"{name} {shape}" for name, shape in has.items()) or "none"
    wanted = dict.fromkeys(NAMES, (D_IN, D_OUT))
    check(
        has == wanted,
        f"for d_in=10 and d_out=12 the parameters are {words}",
        facts=tuple(sorted(has.items())),
    )


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS_OF_THE_BOOK = {
    "W_query": [[0.296112, 0.516562], [0.251671, 0.688557], [0.073972, 0.866522]],
    "W_key": [[0.136580, 0.102479], [0.184056, 0.726447], [0.315254, 0.687107]],
    "W_value": [[0.075635, 0.196638], [0.316412, 0.401740], [0.118568, 0.827395]],
}
CONTEXT_OF_THE_BOOK = [
    [0.2996, 0.8053],
    [0.3061, 0.8210],
    [0.3058, 0.8203],
    [0.2948, 0.7939],
    [0.2927, 0.7891],
    [0.2990, 0.8040],
]


@pytest.mark.book
def test_context_matches_the_book(student):
    """With the book's weights, its six tokens get the context vectors that are printed there."""
    attention = student.SelfAttention_v1(3, 2)
    with_weights(attention)
    fill(student, attention, {name: torch.tensor(rows) for name, rows in WEIGHTS_OF_THE_BOOK.items()})
    context = attention(torch.tensor(INPUTS_OF_THE_BOOK))
    assert_close(context, torch.tensor(CONTEXT_OF_THE_BOOK), atol=2e-4, what="the context")
