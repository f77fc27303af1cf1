"""The graded suite of MultiHeadAttention. Weights are pushed, expected values come from the oracle.

Inputs fill the context, of 9 tokens in most checks, unless the check is about their number; three heads of
four features are the usual size.
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
    assert_names,
    assert_rate,
    assert_shape,
    assert_unmodified,
    check,
    describe,
    must_raise,
    observe,
    push,
    sample,
    with_weights,
)

BATCH, D_IN, D_OUT, CONTEXT, HEADS = 2, 10, 12, 9, 3
PROJECTIONS = ("W_query", "W_key", "W_value")


def with_layers(attention, d_in=D_IN, d_out=D_OUT):
    """Push weights, after a look whether the four layers are there in their sizes; return the weights."""
    layers = (*PROJECTIONS, "out_proj")
    assert_names(attention, tuple(f"{name}.weight" for name in layers))
    weights = with_weights(attention)
    for name in layers:
        size = (d_out, d_out if name == "out_proj" else d_in)
        found = tuple(weights[f"{name}.weight"].shape)
        check(
            found == size, f"{name}.weight should have shape {size}; yours has {found}", facts=(name, found)
        )
    return weights


def built(student, heads=HEADS, dropout=0.0):
    """A module in eval mode with pushed weights and biases, and these weights."""
    attention = student.MultiHeadAttention(D_IN, D_OUT, CONTEXT, dropout, heads, qkv_bias=True).eval()
    return attention, with_layers(attention)


@pytest.mark.shape
@pytest.mark.enforces("x (batch, tokens, d_in) -> (batch, tokens, d_out)")
def test_one_vector_a_token(student):
    """(batch, tokens, d_in) goes in, (batch, tokens, d_out) comes out."""
    attention, _ = built(student)
    assert_shape(attention(sample(BATCH, CONTEXT, D_IN)), (BATCH, CONTEXT, D_OUT), what="the output")


def reactions(student):
    """(changed, query) of bool: whether the output of a query moves when one token is another one."""
    attention, _ = built(student)
    x = sample(CONTEXT, D_IN, scale=0.1)  # quiet inputs: no weight is close to 0
    versions = x.repeat(1 + CONTEXT, 1, 1)
    others = sample(CONTEXT, D_IN, seed=1, scale=0.1)
    for token in range(CONTEXT):
        versions[1 + token, token] = others[token]
    outputs = attention(versions)
    assert_shape(outputs, (1 + CONTEXT, CONTEXT, D_OUT), what="the output")
    assert_finite(outputs, what="the output")
    return (outputs[1:] - outputs[0]).abs().amax(dim=-1) > 1e-5


@pytest.mark.mask
@pytest.mark.enforces("A token sees itself and the tokens before it")
def test_no_token_sees_the_future(student):
    """Another token later in the sequence moves no earlier output; an earlier token does move later ones."""
    moved = reactions(student)
    leaks = moved.tril(diagonal=-1).nonzero().tolist()
    check(not leaks, "an output changes when a later token changes", facts=tuple(map(tuple, leaks)))
    check(moved[0, 1:].all(), "an output stays the same when the first token changes")
    check(moved[1, 2:].all(), "an output stays the same when the second token changes")


@pytest.mark.mask
@pytest.mark.needs("test_no_token_sees_the_future")
@pytest.mark.enforces("in its own sequence alone")
def test_each_token_sees_its_own_past(student):
    """An output depends on its own token and those before it, in its own sequence, not in another one."""
    moved = reactions(student)
    blind = (~moved).triu().nonzero().tolist()
    check(not blind, "an output ignores a token that it may see", facts=tuple(map(tuple, blind)))
    attention, _ = built(student)
    x = sample(BATCH, CONTEXT, D_IN, scale=0.1)
    changed = x.clone()
    changed[0, 0] = sample(D_IN, seed=1, scale=0.1)
    outputs = attention(torch.cat([x, changed]))
    assert_shape(outputs, (2 * BATCH, CONTEXT, D_OUT), what="the output")
    unchanged = 1  # the sequence of the batch that stayed as it was
    strangers = (outputs[BATCH:] - outputs[:BATCH])[unchanged].abs().amax() > 1e-5
    check(not strangers, "a token of one sequence changes the output of another sequence of the batch")


@pytest.mark.values
@pytest.mark.enforces("head $h$ works on the features")
@pytest.mark.parametrize("heads", [HEADS, 1, 6])
def test_heads_are_attention_on_their_features(student, heads):
    """Each head is causal attention on its own features; a second call agrees, and the input stays."""
    attention, weights = built(student, heads)
    x = sample(3, CONTEXT, D_IN)
    seen = observe(attention, x, times=2, inputs=True)
    expected = oracle.multi_head_attention(weights, x, heads)
    dims = ("call", "batch", "token", "feature")
    assert_close(seen.value, torch.stack([expected, expected]), dims=dims, what="the output")
    assert_unmodified(seen, x)


@pytest.mark.values
@pytest.mark.parametrize("tokens", [7, 5, 1])
def test_shorter_inputs(student, tokens):
    """An input may have fewer tokens than context_length."""
    attention, weights = built(student)
    x = sample(BATCH, tokens, D_IN)
    assert_close(attention(x), oracle.multi_head_attention(weights, x, HEADS), what="the output")


@pytest.mark.values
def test_loud_inputs(student):
    """Inputs six times as large give scores in the hundreds, and an output that is still right and finite."""
    attention, weights = built(student)
    x = sample(BATCH, CONTEXT, D_IN, scale=6.0)
    expected = oracle.multi_head_attention(weights, x, HEADS)
    assert_close(attention(x), expected, rtol=1e-3, atol=2e-3, what="the output")


@pytest.mark.dropout
def test_dropout_rests_in_eval_mode(student):
    """In eval mode a dropout rate changes nothing."""
    attention, weights = built(student, dropout=0.2)
    x = sample(BATCH, CONTEXT, D_IN)
    output = observe(attention, x, seed=5).value
    assert_close(output, oracle.multi_head_attention(weights, x, HEADS), what="the output in eval mode")


RATE, DRAWS, SIZE = 0.2, 500, 6


def weights_in_train_mode(student):
    """Many draws (draws, head, query, key) of the weights in train mode, read off one-hot tokens, twice.

    All scores are the same number, so without dropout a query spreads itself evenly over what it sees.
    Each of the two heads holds the identity twice: dropping a weight shows in both copies, dropping a
    feature in one. out_proj passes all on.
    """
    attention = student.MultiHeadAttention(SIZE, 4 * SIZE, SIZE, RATE, 2, qkv_bias=True).train()
    with_layers(attention, SIZE, 4 * SIZE)
    zero, half, eye = torch.zeros(4 * SIZE, SIZE), torch.full((4 * SIZE,), 0.5), torch.eye(SIZE)
    same = {"W_query.weight": zero, "W_query.bias": half, "W_key.weight": zero, "W_key.bias": half}
    pass_on = {"out_proj.weight": torch.eye(4 * SIZE), "out_proj.bias": torch.zeros(4 * SIZE)}
    copies = {"W_value.weight": eye.repeat(4, 1), "W_value.bias": torch.zeros(4 * SIZE)}
    push(attention, same | copies | pass_on)
    outputs = observe(attention, eye.repeat(DRAWS, 1, 1), seed=11).value
    assert_shape(outputs, (DRAWS, SIZE, 4 * SIZE), what="the output")
    assert_finite(outputs, what="the output")
    first, again = outputs.unflatten(-1, (2, 2, SIZE)).transpose(1, 2).unbind(dim=-2)
    return first, again


@pytest.mark.dropout
def test_dropout_drops_single_weights(student):
    """In train mode single attention weights vanish, in each head for itself: not features, not outputs."""
    weights, again = weights_in_train_mode(student)
    check(
        torch.allclose(weights, again, atol=1e-6),
        "features are dropped, not attention weights",
    )
    gone = weights.abs() < 1e-6
    visible = torch.ones(SIZE, SIZE, dtype=torch.bool).tril()
    rate = gone[:, :, visible].double().mean().item()
    words = f"in train mode {'no weight is' if rate == 0.0 else 'all weights are'} dropped"
    check(0.0 < rate < 1.0, words, facts=(rate == 0.0,))
    pairs = {
        "two heads lose the same weight": gone[:, 0, visible] & gone[:, 1, visible],
        "two queries lose the same key": gone[:, :, 4, :5] & gone[:, :, 5, :5],
        "a query loses two keys": gone[:, :, 5, 0::2] & gone[:, :, 5, 1::2],
    }
    for what, both in pairs.items():
        assert_rate(both.double().mean().item(), rate**2, both.numel(), what=f"the rate at which {what}")


@pytest.mark.dropout
@pytest.mark.needs("test_dropout_drops_single_weights")
def test_dropout_rate_and_survivors(student):
    """In train mode a weight is dropped with the given probability p, and the others are divided by 1 - p."""
    weights, _ = weights_in_train_mode(student)
    visible = torch.ones(SIZE, SIZE).tril()
    seen = weights[:, :, visible > 0]
    gone = seen.abs() < 1e-6
    assert_rate(gone.double().mean().item(), RATE, gone.numel(), what="the rate at which weights are dropped")
    survivors = visible / visible.sum(dim=-1, keepdim=True) / (1 - RATE)
    expected = torch.where(gone, 0.0, survivors[visible > 0])
    assert_close(seen, expected, dims=("draw", "head", "weight"), what="the weights that were not dropped")


@pytest.mark.gradient
@pytest.mark.needs("test_heads_are_attention_on_their_features")
def test_gradients_reach_layers_and_input(student):
    """All four layers learn, and the gradient of the input is that of multi-head attention."""
    attention, weights = built(student)
    x, upstream = sample(BATCH, CONTEXT, D_IN), sample(BATCH, CONTEXT, D_OUT, seed=1)
    seen = observe(attention, x, upstream=upstream)
    # The gradient of W_key's bias is zero: it adds the same number to all scores of a query.
    assert_gradients_reach(seen, *(f"{name}.weight" for name in (*PROJECTIONS, "out_proj")))
    expected = oracle.input_gradient(
        lambda given: oracle.multi_head_attention(weights, given, HEADS), x, upstream
    )
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=2e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs("test_heads_are_attention_on_their_features")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
def test_everything_moves_to_another_device(student):
    """After .to(device) no tensor is left behind, and none is made on the CPU on the way."""
    attention, _ = built(student)
    assert_follows_device(attention, sample(BATCH, CONTEXT, D_IN))


@pytest.mark.dtype
@pytest.mark.needs("test_heads_are_attention_on_their_features")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it."""
    attention, weights = built(student)
    x = sample(BATCH, CONTEXT, D_IN).to(dtype)
    output = attention.to(dtype)(x)
    assert_dtype(output, dtype, what="the output")
    assert_finite(output, what="the output")
    if dtype == torch.float64:
        assert_close(output, oracle.multi_head_attention(weights, x, HEADS), what="the output")


@pytest.mark.state
@pytest.mark.needs("test_heads_are_attention_on_their_features")
@pytest.mark.enforces("`out_proj`, an `nn.Linear` from `d_out` to `d_out` with a bias")
def test_parameters_are_the_four_layers(student):
    """The parameters are the projections, biased only if qkv_bias says so, and out_proj with its bias."""
    layers = (*PROJECTIONS, "out_proj")
    for bias, biased in ((True, layers), (False, ("out_proj",))):
        attention = student.MultiHeadAttention(D_IN, D_OUT, CONTEXT, 0.0, HEADS, qkv_bias=bias)
        expected = {f"{name}.weight" for name in layers} | {f"{name}.bias" for name in biased}
        has = set(describe(attention).parameters)
        wrong = sorted(has ^ expected)
        says = f"with qkv_bias={bias} these parameters are missing, or too many: {', '.join(wrong)}"
        check(has == expected, says, facts=(bias, *wrong))


@pytest.mark.vectorised
@pytest.mark.needs("test_heads_are_attention_on_their_features")
@pytest.mark.enforces("The number of operations must not grow with num_heads")
def test_one_batched_product_for_all_heads(student):
    """Two heads and six heads take the same number of operations."""
    counts = []
    for heads in (2, 6):
        attention, _ = built(student, heads)
        counts.append(len(observe(attention, sample(BATCH, CONTEXT, D_IN), watch=True).operations))
    says = f"2 heads take {counts[0]} operations and 6 heads {counts[1]}: let one product serve all heads"
    check(counts[0] == counts[1], says, facts=("grows",))


READY_MADE = {"scaled_dot_product_attention", "multi_head_attention_forward", "MultiheadAttention"}


@pytest.mark.vectorised
@pytest.mark.needs("test_heads_are_attention_on_their_features")
@pytest.mark.enforces(
    "write the attention yourself: `nn.MultiheadAttention` and `scaled_dot_product_attention` of torch are "
    "forbidden in this exercise"
)
def test_attention_is_your_own(student):
    """Neither nn.MultiheadAttention nor scaled_dot_product_attention of torch does the work."""
    attention, _ = built(student)
    called = observe(attention, sample(BATCH, CONTEXT, D_IN), watch=True).operations
    used = sorted(READY_MADE & {*called, *describe(attention).modules.values()})
    check(not used, f"{', '.join(used)} of torch does the work", facts=tuple(used))


@pytest.mark.errors
@pytest.mark.needs("test_one_vector_a_token")
def test_heads_must_divide_the_features(student):
    """A number of heads that does not divide d_out raises an error when the module is made."""
    must_raise(student.MultiHeadAttention, D_IN, D_OUT, CONTEXT, 0.0, 5, what="12 features for 5 heads")


@pytest.mark.errors
@pytest.mark.needs("test_one_vector_a_token")
def test_too_many_tokens_are_refused(student):
    """More tokens than context_length raise an error."""
    attention, _ = built(student)
    must_raise(attention, sample(BATCH, CONTEXT + 2, D_IN), what="11 tokens, with a context_length of 9")


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS_OF_THE_BOOK = {
    "W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
    "out_proj.weight": [[-0.166758, 0.226973], [0.500026, 0.131738]],
    "out_proj.bias": [0.193359, 0.682541],
}
OUTPUT_OF_THE_BOOK = [
    [0.3190, 0.4858],
    [0.2943, 0.3897],
    [0.2856, 0.3593],
    [0.2693, 0.3873],
    [0.2639, 0.3928],
    [0.2575, 0.4028],
]


@pytest.mark.book
def test_output_matches_the_book(student):
    """With the book's weights and two heads, its six tokens get the outputs that are printed there."""
    attention = student.MultiHeadAttention(3, 2, 6, 0.0, 2).eval()
    with_layers(attention, 3, 2)
    push(attention, {name: torch.tensor(weight) for name, weight in WEIGHTS_OF_THE_BOOK.items()})
    output = attention(torch.tensor([INPUTS_OF_THE_BOOK, INPUTS_OF_THE_BOOK]))
    expected = torch.tensor([OUTPUT_OF_THE_BOOK, OUTPUT_OF_THE_BOOK])
    assert_close(output, expected, atol=2e-4, what="the output")
