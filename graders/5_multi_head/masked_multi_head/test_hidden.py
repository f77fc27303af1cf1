"""The graded suite of MaskedMultiHeadAttention: three heads of four features, two sequences of 7 tokens."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    StudentRaised,
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_gradients_reach,
    assert_names,
    assert_shape,
    assert_unmodified,
    check,
    must_raise,
    observe,
    sample,
    with_weights,
)

BATCH, TOKENS, D_MODEL, HEADS = 2, 7, 12, 3
LAYERS = ("W_Q", "W_K", "W_V", "W_O")
DIMS = ("item", "head", "query", "key")


def built(student, heads=HEADS):
    """A module with pushed weights, and these weights."""
    attention = student.MaskedMultiHeadAttention(D_MODEL, heads)
    assert_names(attention, tuple(f"{name}.weight" for name in LAYERS))
    return attention, with_weights(attention)


def pair(found):
    """The output and the weights, after a look whether there are two."""
    two = isinstance(found, tuple) and len(found) == 2
    check(two, "forward should return a pair: the output and the weights", facts=("no pair",))
    return found


def causal():
    """(tokens, tokens): the future is blocked."""
    return torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(diagonal=1)


def padding():
    """(batch, 1, tokens): the last two tokens of one sequence are padding, and the last five of the other."""
    mask = torch.zeros(BATCH, 1, TOKENS, dtype=torch.bool)
    mask[0, 0, 5:] = True
    mask[1, 0, 2:] = True
    return mask


def a_table_each():
    """(batch, tokens, tokens): the future in one sequence, every other neighbour in the other one."""
    place = torch.arange(TOKENS)
    return torch.stack([causal(), (place[:, None] - place).abs() % 3 == 1])


def with_empty_rows():
    """(batch, tokens, tokens): a table each, and three queries that see nothing at all."""
    mask = a_table_each()
    mask[0, 0] = mask[0, 3] = mask[1, 6] = True
    return mask


@pytest.mark.shape
@pytest.mark.enforces("-> output (batch, tokens, d_model), weights (batch, n_heads, tokens, tokens)")
def test_output_and_weights_come_back(student):
    """A pair comes back: output (batch, tokens, d_model) and weights (batch, heads, tokens, tokens)."""
    attention, _ = built(student)
    output, weights = pair(attention(sample(BATCH, TOKENS, D_MODEL)))
    assert_shape(output, (BATCH, TOKENS, D_MODEL), what="the output")
    assert_shape(weights, (BATCH, HEADS, TOKENS, TOKENS), what="the weights")


@pytest.mark.values
@pytest.mark.enforces("Without a mask every token sees every token.")
@pytest.mark.parametrize("heads", [HEADS, 1])
def test_weights_without_a_mask(student, heads):
    """Without a mask the weights of a head are one softmax a query, over all keys, of the scaled scores."""
    attention, weights = built(student, heads)
    x = sample(BATCH, TOKENS, D_MODEL)
    _, found = pair(attention(x))
    _, expected = oracle.masked_multi_head_attention(weights, x, heads)
    assert_close(found, expected, dims=DIMS, what="the weights")


@pytest.mark.values
@pytest.mark.parametrize("heads", [HEADS, 1])
def test_output_without_a_mask(student, heads):
    """Without a mask the output is W_O applied to the contexts of all heads, side by side."""
    attention, weights = built(student, heads)
    x = sample(BATCH, TOKENS, D_MODEL)
    output, _ = pair(attention(x))
    expected, _ = oracle.masked_multi_head_attention(weights, x, heads)
    assert_close(output, expected, what="the output")


@pytest.mark.values
@pytest.mark.needs("test_weights_without_a_mask", "test_output_without_a_mask")
@pytest.mark.enforces("where a blocked key gets no weight")
def test_masked_output(student):
    """With a mask, output and weights are those of the visible keys alone."""
    attention, weights = built(student)
    x, mask = sample(BATCH, TOKENS, D_MODEL), a_table_each()
    output, found = pair(attention(x, mask))
    expected, table = oracle.masked_multi_head_attention(weights, x, HEADS, mask)
    assert_close(found, table, dims=DIMS, what="the weights")
    assert_close(output, expected, what="the output")


@pytest.mark.values
@pytest.mark.needs("test_weights_without_a_mask")
@pytest.mark.enforces("Leave x and mask as they are")
def test_arguments_are_left_alone(student):
    """Neither x nor the mask is changed, not even by a mask with rows that are blocked altogether."""
    attention, _ = built(student)
    x, mask = sample(BATCH, TOKENS, D_MODEL), with_empty_rows()
    assert_unmodified(observe(attention, x, mask, inputs=True), x, mask)


def assert_blocks(student, mask):
    """Blocked keys have no weight in any head, all others have some, and each row sums to 1."""
    attention, _ = built(student)
    _, found = pair(attention(sample(BATCH, TOKENS, D_MODEL, scale=0.2), mask))
    assert_shape(found, (BATCH, HEADS, TOKENS, TOKENS), what="the weights")
    assert_finite(found, what="the weights")
    table = (mask if mask.dim() == 2 else mask[:, None]).expand(BATCH, HEADS, TOKENS, TOKENS)
    seen = tuple(((found.abs() > 1e-6) & table).any(dim=-1).any(dim=-1).flatten().tolist())
    check(not any(seen), "a blocked key still has a weight", facts=seen)
    check((found > 1e-6)[~table].all(), "a key that is not blocked has no weight", facts=("blind",))
    sums = found.sum(dim=-1)
    assert_close(sums, torch.ones_like(sums), dims=DIMS[:3], what="the sums of the rows of weights")


@pytest.mark.mask
@pytest.mark.enforces("(tokens, tokens) is one table for all sequences")
def test_one_table_for_all_sequences(student):
    """A mask (tokens, tokens) blocks in every sequence and in every head."""
    assert_blocks(student, causal())


@pytest.mark.mask
def test_padding(student):
    """A mask (batch, 1, tokens) blocks keys of each sequence, for all of its queries and heads."""
    assert_blocks(student, padding())


@pytest.mark.mask
@pytest.mark.enforces("(batch, tokens, tokens) is a table for each sequence")
def test_a_table_for_each_sequence(student):
    """A mask (batch, tokens, tokens) blocks in each sequence what its own table says, in every head."""
    assert_blocks(student, a_table_each())


@pytest.mark.mask
@pytest.mark.needs("test_a_table_for_each_sequence")
@pytest.mark.enforces("Such a query has all-zero weights then")
def test_a_query_that_sees_nothing(student):
    """A query with every key blocked has all-zero weights and a zero output; the others are as ever."""
    attention, _ = built(student)
    x, mask = sample(BATCH, TOKENS, D_MODEL, scale=0.2), with_empty_rows()
    output, found = pair(attention(x, mask))
    assert_finite(found, what="the weights")
    assert_finite(output, what="the output")
    assert_shape(found, (BATCH, HEADS, TOKENS, TOKENS), what="the weights")
    empty = mask.all(dim=-1)
    rows = found.transpose(1, 2)[empty]
    assert_close(
        rows,
        torch.zeros_like(rows),
        dims=("blocked query", "head", "key"),
        what="the weights of queries that see nothing",
    )
    nothing = output[empty]
    assert_close(nothing, torch.zeros_like(nothing), what="the output of queries that see nothing")
    check((found.transpose(1, 2)[~empty].sum(dim=-1) > 0.99).all(), "a row with a visible key lost weight")


@pytest.mark.gradient
@pytest.mark.needs("test_weights_without_a_mask", "test_output_without_a_mask")
def test_gradients_reach_layers_and_input(student):
    """All four layers learn, and the gradient of the input is that of attention."""
    attention, weights = built(student)
    x, upstream = sample(BATCH, TOKENS, D_MODEL), sample(BATCH, TOKENS, D_MODEL, seed=1)
    seen = observe(attention, x, upstream=upstream)
    assert_gradients_reach(seen, *(f"{name}.weight" for name in LAYERS))
    expected = oracle.input_gradient(
        lambda given: oracle.masked_multi_head_attention(weights, given, HEADS)[0], x, upstream
    )
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=2e-3, what="the gradient of the input")


GRADIENT = """
def input_gradient(module, x, mask, upstream):
    x = x.clone().requires_grad_()
    output, _ = module(x, mask)
    output.backward(upstream)
    return x.grad
"""


@pytest.mark.gradient
@pytest.mark.needs(
    "test_a_query_that_sees_nothing", "test_masked_output", "test_gradients_reach_layers_and_input"
)
@pytest.mark.enforces("finite gradients")
def test_gradients_stay_finite(student):
    """The gradient of the input is finite, and right, when some queries see nothing."""
    attention, weights = built(student)
    x, upstream = sample(BATCH, TOKENS, D_MODEL), sample(BATCH, TOKENS, D_MODEL, seed=1)
    mask = a_table_each()
    mask[0, 0] = mask[0, 3] = (
        True  # in one sequence alone: the gradients of the other have numbers in any case
    )
    gradient = student.define(GRADIENT).input_gradient(attention, x, mask, upstream)
    expected = oracle.input_gradient(
        lambda given: oracle.masked_multi_head_attention(weights, given, HEADS, mask)[0], x, upstream
    )
    assert_close(gradient, expected, rtol=1e-3, atol=2e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs("test_weights_without_a_mask")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
def test_everything_is_on_the_device_of_the_input(student):
    """With a mask and without one, no tensor is made on the CPU on the way."""
    x = sample(BATCH, TOKENS, D_MODEL)
    assert_follows_device(built(student)[0], x)
    try:
        assert_follows_device(built(student)[0], x, a_table_each())
    except StudentRaised as error:  # code may look at a mask before it acts; there is nothing to see on meta
        if "cannot be called on meta tensors" not in error.message:
            raise


@pytest.mark.dtype
@pytest.mark.needs("test_masked_output")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it, masked or not."""
    attention, weights = built(student)
    x, mask = sample(BATCH, TOKENS, D_MODEL).to(dtype), a_table_each()
    output, found = pair(attention.to(dtype)(x, mask))
    assert_dtype(output, dtype, what="the output")
    assert_dtype(found, dtype, what="the weights")
    assert_finite(output, what="the output")
    if dtype == torch.float64:
        expected, _ = oracle.masked_multi_head_attention(weights, x, HEADS, mask)
        assert_close(output, expected, what="the output")


@pytest.mark.errors
@pytest.mark.needs("test_weights_without_a_mask")
@pytest.mark.parametrize(
    "shape",
    [
        (TOKENS,),
        (1, TOKENS),
        (BATCH, TOKENS),
        (1, TOKENS, TOKENS),
        (1, 1, TOKENS),
        (BATCH, TOKENS, 1),
        (BATCH, 1, TOKENS, TOKENS),
        (BATCH, HEADS, TOKENS, TOKENS),
        (TOKENS + 1, TOKENS + 1),
    ],
    ids=str,
)
def test_other_shapes_are_refused(student, shape):
    """A mask of any other shape raises an error, also where broadcasting would take it."""
    attention, _ = built(student)
    mask = torch.zeros(shape, dtype=torch.bool)
    must_raise(attention, sample(BATCH, TOKENS, D_MODEL), mask, what=f"a mask of shape {shape}")
