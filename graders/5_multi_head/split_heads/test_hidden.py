"""The graded suite of split_heads and merge_heads. A wrong function costs its own points alone."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    StudentRaised,
    assert_close,
    assert_dtype,
    assert_equal,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    must_raise,
    observe,
    sample,
)

BATCH, TOKENS, D_MODEL, HEADS, HEAD_DIM = 2, 7, 15, 5, 3
APART = ("item", "head", "token", "feature")
TOGETHER = ("item", "token", "feature")
SHAPES = [(BATCH, TOKENS, D_MODEL, HEADS), (1, TOKENS, 6, 1), (3, 1, 8, 8)]  # batch, tokens, d_model, heads


@pytest.mark.shape
@pytest.mark.parametrize(("batch", "tokens", "d_model", "heads"), SHAPES)
def test_split_shape(student, batch, tokens, d_model, heads):
    """split_heads: (batch, tokens, d_model) goes in, (batch, num_heads, tokens, head_dim) comes out."""
    expected = (batch, heads, tokens, d_model // heads)
    assert_shape(student.split_heads(sample(batch, tokens, d_model), heads), expected, what="split_heads(x)")


@pytest.mark.shape
@pytest.mark.parametrize(("batch", "tokens", "d_model", "heads"), SHAPES)
def test_merge_shape(student, batch, tokens, d_model, heads):
    """merge_heads: (batch, num_heads, tokens, head_dim) goes in, (batch, tokens, d_model) comes out."""
    x = sample(batch, heads, tokens, d_model // heads)
    assert_shape(student.merge_heads(x), (batch, tokens, d_model), what="merge_heads(x)")


@pytest.mark.values
@pytest.mark.needs("test_split_shape")
@pytest.mark.enforces("Head h holds the features from h * head_dim up to, not including, (h + 1) * head_dim.")
@pytest.mark.parametrize(("batch", "tokens", "d_model", "heads"), SHAPES)
def test_split_values(student, batch, tokens, d_model, heads):
    """split_heads: head h holds the features h * head_dim, h * head_dim + 1, … of every token."""
    x = sample(batch, tokens, d_model)
    seen = observe(student.split_heads, x, heads, inputs=True)
    assert_equal(seen.value, oracle.heads_apart(x, heads), dims=APART, what="split_heads(x)")
    assert_unmodified(seen, x)


@pytest.mark.values
@pytest.mark.needs("test_merge_shape")
@pytest.mark.enforces("Put the features of all heads side by side again, head 0 first")
@pytest.mark.parametrize(("batch", "tokens", "d_model", "heads"), SHAPES)
def test_merge_values(student, batch, tokens, d_model, heads):
    """merge_heads: the features of head 0 stand first, then those of head 1, for every token."""
    x = sample(batch, heads, tokens, d_model // heads)
    seen = observe(student.merge_heads, x, inputs=True)
    assert_equal(seen.value, oracle.heads_together(x), dims=TOGETHER, what="merge_heads(x)")
    assert_unmodified(seen, x)


TRANSPOSED = """
def merged(merge_heads, x, order):
    places = [order.index(place) for place in range(4)]
    return merge_heads(x.permute(order).contiguous().permute(places))
"""


@pytest.mark.values
@pytest.mark.needs("test_merge_values")
@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 3, 2), (2, 0, 1, 3)])
def test_merge_of_transposed_tensors(student, order):
    """merge_heads works on tensors that were transposed before, like the one that split_heads returns."""
    x = sample(BATCH, HEADS, TOKENS, HEAD_DIM)
    merged = student.define(TRANSPOSED).merged(student.merge_heads, x, list(order))
    what = "merge_heads(x) of a transposed tensor"
    assert_equal(merged, oracle.heads_together(x), dims=TOGETHER, what=what)


@pytest.mark.gradient
@pytest.mark.needs("test_split_values")
def test_split_passes_gradients_back(student):
    """split_heads passes the gradient of each head back to its features."""
    x, upstream = sample(BATCH, TOKENS, D_MODEL), sample(BATCH, HEADS, TOKENS, HEAD_DIM, seed=1)
    gradient = observe(student.split_heads, x, HEADS, upstream=upstream).input_gradients[0]
    check(gradient is not None, "no gradient reaches the input of split_heads")
    what = "the gradient of split_heads"
    assert_close(gradient, oracle.heads_together(upstream), dims=TOGETHER, what=what)


@pytest.mark.gradient
@pytest.mark.needs("test_merge_values")
def test_merge_passes_gradients_back(student):
    """merge_heads passes the gradient of each feature back to its head."""
    x, upstream = sample(BATCH, HEADS, TOKENS, HEAD_DIM), sample(BATCH, TOKENS, D_MODEL, seed=1)
    gradient = observe(student.merge_heads, x, upstream=upstream).input_gradients[0]
    check(gradient is not None, "no gradient reaches the input of merge_heads")
    what = "the gradient of merge_heads"
    assert_close(gradient, oracle.heads_apart(upstream, HEADS), dims=APART, what=what)


@pytest.mark.device
@pytest.mark.needs("test_split_values")
def test_split_follows_its_input(student):
    """split_heads returns the heads on the device of its input."""
    follows(student.split_heads, sample(BATCH, TOKENS, D_MODEL), num_heads=HEADS)


@pytest.mark.device
@pytest.mark.needs("test_merge_values")
def test_merge_follows_its_input(student):
    """merge_heads returns the features on the device of its input."""
    follows(student.merge_heads, sample(BATCH, HEADS, TOKENS, HEAD_DIM))


def follows(function, x, **arguments):
    """`assert_follows_device`, with words for what torch says about a tensor that was made on the CPU."""
    try:
        assert_follows_device(function, x, **arguments)
    except StudentRaised as error:
        says = "features are written into a tensor that was made on the CPU"
        check("out of meta tensor" not in error.message, says, outcome="wrong-device")
        raise


@pytest.mark.dtype
@pytest.mark.needs("test_split_values")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64])
def test_split_keeps_the_number_type(student, dtype):
    """split_heads returns the number type that it is given."""
    x = sample(BATCH, TOKENS, D_MODEL, scale=9.0, dtype=dtype)
    heads = student.split_heads(x, HEADS)
    assert_dtype(heads, dtype, what="split_heads(x)")
    assert_equal(heads, oracle.heads_apart(x, HEADS), dims=APART, what="split_heads(x)")


@pytest.mark.dtype
@pytest.mark.needs("test_merge_values")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int64])
def test_merge_keeps_the_number_type(student, dtype):
    """merge_heads returns the number type that it is given."""
    x = sample(BATCH, HEADS, TOKENS, HEAD_DIM, scale=9.0, dtype=dtype)
    merged = student.merge_heads(x)
    assert_dtype(merged, dtype, what="merge_heads(x)")
    assert_equal(merged, oracle.heads_together(x), dims=TOGETHER, what="merge_heads(x)")


@pytest.mark.errors
@pytest.mark.needs("test_split_values")
@pytest.mark.parametrize(("d_model", "heads"), [(D_MODEL, 4), (6, 7)])
def test_indivisible_features_are_refused(student, d_model, heads):
    """split_heads raises an error if num_heads does not divide d_model."""
    must_raise(
        student.split_heads,
        sample(BATCH, TOKENS, d_model),
        heads,
        what=f"{heads} heads for {d_model} features",
    )
