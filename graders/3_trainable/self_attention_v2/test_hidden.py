"""The graded suite of SelfAttention_v2. Weights are pushed, expected values come from the oracle.

What the matrices are kept in, and whether there are biases, has checks of its own: the others take what
they find.
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


def places(has):
    """Where the module keeps each matrix, by the name of its layer: in the layer, or as a bare parameter."""
    found = {}
    for name in NAMES:
        found[name] = next((key for key in (f"{name}.weight", name) if key in has), None)
        words = f"the module has no parameter {name}.weight; it has {', '.join(has) or 'none'}"
        check(found[name] is not None, words, facts=(name, *has))
    return found


def built(student, **options):
    """A module with pushed weights, and these weights as layers hold them: (d_out, d_in), and biases."""
    attention = student.SelfAttention_v2(D_IN, D_OUT, **options)
    pushed = with_weights(attention)
    weights = {name: value for name, value in pushed.items() if name.endswith(".bias")}
    for name, place in places(pushed).items():
        matrix = pushed[place]
        fits = tuple(matrix.shape) in ((D_OUT, D_IN), (D_IN, D_OUT))
        words = f"{place} has shape {tuple(matrix.shape)}, for d_in=10 and d_out=12"
        check(fits, words, facts=(place, tuple(matrix.shape)))
        weights[f"{name}.weight"] = matrix if tuple(matrix.shape) == (D_OUT, D_IN) else matrix.T
    return attention, weights


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
    attention, weights = built(student)
    wanted = torch.tensor([2, 2, 5, 0, 0, 1, 4])  # whose key each token's query matches
    one_hot = torch.eye(D_OUT)
    queries, keys = torch.zeros(D_IN, D_OUT), torch.zeros(D_IN, D_OUT)
    queries[:TOKENS] = 200.0 * one_hot[wanted]  # far apart, with or without the right scale
    keys[:TOKENS] = one_hot[:TOKENS]
    values = sample(D_IN, D_OUT, seed=3)
    has = describe(attention).parameters
    state = {name: torch.zeros(D_OUT) for name in weights if name.endswith(".bias")}
    for place, matrix in zip(places(has).values(), (queries, keys, values), strict=True):
        state[place] = matrix.T.contiguous() if has[place].shape == (D_OUT, D_IN) else matrix
    push(attention, state)
    context = attention(torch.eye(D_IN)[:TOKENS])
    assert_close(context, values[wanted], rtol=1e-3, atol=1e-3, what="the context")


@pytest.mark.values
@pytest.mark.enforces("queries, keys and values, each from the layer of its name")
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
def test_biases_are_added(student):
    """With qkv_bias=True queries, keys and values are those of the layers, biases and all."""
    attention, weights = built(student, qkv_bias=True)
    x = sample(TOKENS, D_IN)
    assert_close(attention(x), oracle.self_attention(weights, x), what="the context with biases")


@pytest.mark.values
@pytest.mark.needs(CORE)
def test_batches(student):
    """A batch of sequences: each gets the context vectors that it gets alone."""
    attention, weights = built(student)
    x = sample(BATCH, TOKENS, D_IN)
    assert_close(attention(x), oracle.self_attention(weights, x), what="the context")


@pytest.mark.gradient
@pytest.mark.needs(CORE)
def test_gradients_reach_layers_and_input(student):
    """All three layers learn, and the gradient of the input is that of attention."""
    attention, weights = built(student)
    x, upstream = sample(TOKENS, D_IN), sample(TOKENS, D_OUT, seed=1)
    seen = observe(attention, x, upstream=upstream)
    # Without biases: the one of W_key adds the same number to all scores of a query, and never learns.
    own = [name for name in seen.parameter_gradients if name.split(".")[0] in NAMES and "bias" not in name]
    assert_gradients_reach(seen, *own)
    expected = oracle.input_gradient(lambda given: oracle.self_attention(weights, given), x, upstream)
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=1e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs(CORE)
@pytest.mark.enforces("All that the module keeps moves with it to another device")
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
def test_biases_only_if_asked_for(student):
    """The layers have a bias if qkv_bias is True, and none if it is False or not given."""
    for options, wanted in (({}, ()), ({"qkv_bias": False}, ()), ({"qkv_bias": True}, NAMES)):
        has = describe(student.SelfAttention_v2(D_IN, D_OUT, **options)).parameters
        biased = tuple(sorted(name for name in has if name.endswith("bias")))
        given = "qkv_bias=True" if wanted else "no qkv_bias" if not options else "qkv_bias=False"
        right = biased == tuple(sorted(f"{name}.bias" for name in wanted))
        check(right, f"with {given} the biases are {', '.join(biased) or 'none'}", facts=(given, *biased))


@pytest.mark.state
@pytest.mark.needs(CORE)
@pytest.mark.enforces("three nn.Linear layers from d_in to d_out called W_query, W_key and W_value")
def test_projections_are_three_linear_layers(student):
    """W_query, W_key and W_value are nn.Linear layers, and there are no other parameters."""
    parts = describe(student.SelfAttention_v2(D_IN, D_OUT))
    kinds = tuple(parts.modules.get(name, "no layer") for name in NAMES)
    words = ", ".join(f"{name} is {kind}" for name, kind in zip(NAMES, kinds, strict=True))
    check(kinds == ("Linear",) * 3, f"in your module {words}", facts=kinds)
    others = tuple(name for name in parts.parameters if name.split(".")[0] not in NAMES)
    check(not others, f"there are more parameters: {', '.join(others)}", facts=others)


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS_OF_THE_BOOK = {
    "W_query.weight": [[0.316059, 0.456809, 0.511835], [-0.168285, -0.337877, -0.091774]],
    "W_key.weight": [[0.405806, -0.470421, 0.236805], [0.213361, -0.260051, -0.510543]],
    "W_value.weight": [[0.252570, -0.141478, -0.196181], [0.519107, -0.085168, -0.204327]],
}
CONTEXT_OF_THE_BOOK = [
    [-0.0739, 0.0713],
    [-0.0748, 0.0703],
    [-0.0749, 0.0702],
    [-0.0760, 0.0685],
    [-0.0763, 0.0679],
    [-0.0754, 0.0693],
]


@pytest.mark.book
def test_context_matches_the_book(student):
    """With the book's weights, its six tokens get the context vectors that are printed there."""
    attention = student.SelfAttention_v2(3, 2)
    with_weights(attention)
    push(attention, {name: torch.tensor(rows) for name, rows in WEIGHTS_OF_THE_BOOK.items()})
    context = attention(torch.tensor(INPUTS_OF_THE_BOOK))
    assert_close(context, torch.tensor(CONTEXT_OF_THE_BOOK), what="the context")
