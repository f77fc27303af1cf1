"""The graded suite of AdditiveAttention. Weights are pushed, expected values come from the oracle.

Every size is another one, and some batches have as many sentences as tokens: there a decoder state that
is added in the wrong place raises nothing.
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
    assert_shape,
    assert_unmodified,
    check,
    describe,
    observe,
    sample,
    with_weights,
)

BATCH, TOKENS, D_DECODER, D_ENCODER, D_ATTENTION = 3, 7, 10, 12, 8
LAYERS = {
    "W_s.weight": (D_ATTENTION, D_DECODER),
    "W_h.weight": (D_ATTENTION, D_ENCODER),
    "v.weight": (1, D_ATTENTION),
}
ITEMS, FEATURES = ("item", "token"), ("item", "feature")
SHAPES, ONE, WEIGHTS = "test_a_pair_a_batch", "test_a_batch_of_one", "test_weights_follow_the_formula"
CONTEXT, MASKED = "test_context_is_a_weighted_sum_of_encoder_states", "test_blocked_positions_get_no_weight"


def built(student):
    """A module with pushed weights, after a look whether the three layers are there; and these weights."""
    attention = student.AdditiveAttention(D_DECODER, D_ENCODER, D_ATTENTION)
    assert_names(attention, tuple(LAYERS))
    weights = with_weights(attention)
    for name, shape in LAYERS.items():
        found = tuple(weights[name].shape)
        says = f"{name} has shape {found}, not {shape}"
        check(found == shape, says, outcome="wrong-shape", facts=(name, found))
    return attention, weights


def states(batch=BATCH, tokens=TOKENS, seed=0, scale=1.0, dtype=None):
    """A decoder state and the encoder states of each sentence."""
    return (
        sample(batch, D_DECODER, seed=seed, scale=scale, dtype=dtype),
        sample(batch, tokens, D_ENCODER, seed=seed, scale=scale, dtype=dtype),
    )


def padded():
    """(batch, tokens) of bool: sentences of 7, 4 and 5 tokens, the last one padded in front."""
    mask = torch.zeros(BATCH, TOKENS, dtype=torch.bool)
    mask[1, 4:] = mask[2, :2] = True
    return mask


def one_sentence_blocked():
    """(batch, tokens) of bool: the same, and nothing of the first sentence may be seen."""
    mask = padded()
    mask[0] = True
    return mask


def attended(attention, *inputs, **kwargs):
    """The context and the weights of one call."""
    result = attention(*inputs, **kwargs)
    check(
        isinstance(result, (tuple, list)) and len(result) == 2,
        "forward does not return a pair, the context and the weights",
        facts=(type(result).__name__,),
    )
    return result


def assert_shapes(pair, batch, tokens):
    """The pair has the right shapes."""
    context, weights = pair
    assert_shape(context, (batch, D_ENCODER), what="the context")
    assert_shape(weights, (batch, tokens), what="the weights")


@pytest.mark.shape
def test_a_pair_a_batch(student):
    """The context is (batch, d_encoder), the weights are (batch, tokens)."""
    attention, _ = built(student)
    assert_shapes(attended(attention, *states()), BATCH, TOKENS)


@pytest.mark.shape
@pytest.mark.needs(SHAPES)
@pytest.mark.parametrize(("batch", "tokens"), [(1, TOKENS), (BATCH, 1), (1, 1)])
def test_a_batch_of_one(student, batch, tokens):
    """A batch of one sentence, and sentences of one token, keep all their dimensions."""
    attention, _ = built(student)
    assert_shapes(attended(attention, *states(batch, tokens)), batch, tokens)


@pytest.mark.values
@pytest.mark.needs(SHAPES)
def test_weights_are_shares(student):
    """The weights of a sentence are positive and sum to 1 over its encoder positions."""
    attention, _ = built(student)
    _, weights = attended(attention, *states())
    assert_shape(weights, (BATCH, TOKENS), what="the weights")
    assert_finite(weights, what="the weights")
    check((weights > 0).all(), "some weights are 0 or below, though nothing is blocked")
    assert_close(weights.sum(dim=-1), torch.ones(BATCH), dims=("item",), what="the sum of the weights")
    spread = weights.amax(dim=-1) - weights.amin(dim=-1)
    check((spread > 1e-3).all(), "in at least one sentence all encoder states get nearly the same weight")


@pytest.mark.values
@pytest.mark.needs("test_weights_are_shares")
@pytest.mark.parametrize(("batch", "tokens"), [(BATCH, TOKENS), (5, 5)])
def test_weights_follow_the_formula(student, batch, tokens):
    """The weights are the softmax over j of v . tanh(W_s s + W_h h_j), also where tokens == batch."""
    attention, layers = built(student)
    inputs = states(batch, tokens, seed=1)
    _, weights = attended(attention, *inputs)
    _, expected = oracle.additive_attention(layers, *inputs)
    assert_close(weights, expected, dims=ITEMS, what="the weights")


@pytest.mark.values
@pytest.mark.needs(WEIGHTS)
@pytest.mark.parametrize(("batch", "tokens"), [(BATCH, TOKENS), (5, 5)])
def test_context_is_a_weighted_sum_of_encoder_states(student, batch, tokens):
    """The context of a sentence is the sum of its encoder states, each times its weight."""
    attention, layers = built(student)
    inputs = states(batch, tokens, seed=1)
    context, _ = attended(attention, *inputs)
    expected, _ = oracle.additive_attention(layers, *inputs)
    assert_close(context, expected, dims=FEATURES, what="the context")


@pytest.mark.values
@pytest.mark.needs(CONTEXT)
@pytest.mark.enforces(
    "Let one decoder state of each sentence gather context from all encoder states of that sentence."
)
def test_a_call_depends_on_its_input_alone(student):
    """A call after another one gives what it gives alone, in train mode too; the input stays as it is."""
    attention, layers = built(student)
    inputs = states(seed=2)
    attended(attention, *states(seed=3))
    seen = observe(attention, *inputs, inputs=True, seed=1)
    expected, _ = oracle.additive_attention(layers, *inputs)
    assert_close(seen.value[0], expected, dims=FEATURES, what="the context of a second call")
    assert_unmodified(seen, *inputs)


@pytest.mark.mask
@pytest.mark.needs(CONTEXT)
def test_blocked_positions_get_no_weight(student):
    """A blocked position has the weight 0; the others are a softmax over what may be seen."""
    attention, layers = built(student)
    inputs, mask = states(seed=4), padded()
    _, weights = attended(attention, *inputs, mask=mask)
    assert_shape(weights, (BATCH, TOKENS), what="the weights")
    check(not (weights[mask].abs() > 1e-12).any(), "a blocked position has some weight")
    _, expected = oracle.additive_attention(layers, *inputs, mask)
    assert_close(weights, expected, dims=ITEMS, what="the weights")


@pytest.mark.mask
@pytest.mark.needs(MASKED)
def test_context_uses_the_masked_weights(student):
    """The context is made with the weights that are returned, so nothing of a blocked state is in it."""
    attention, layers = built(student)
    inputs, mask = states(seed=4), padded()
    context, _ = attended(attention, *inputs, mask=mask)
    expected, _ = oracle.additive_attention(layers, *inputs, mask)
    assert_close(context, expected, dims=FEATURES, what="the context")


@pytest.mark.mask
@pytest.mark.needs("test_context_uses_the_masked_weights")
def test_a_blocked_sentence_gets_zeros(student):
    """A sentence with nothing but blocked positions has the weights 0 and the context 0."""
    attention, layers = built(student)
    inputs, mask = states(seed=5), one_sentence_blocked()
    context, weights = attended(attention, *inputs, mask=mask)
    expected_context, expected = oracle.additive_attention(layers, *inputs, mask)
    assert_close(weights, expected, dims=ITEMS, what="the weights")
    assert_close(context, expected_context, dims=FEATURES, what="the context")


@pytest.mark.gradient
@pytest.mark.needs(CONTEXT)
def test_gradients_reach_layers_and_states(student):
    """All three layers learn, and decoder and encoder states get the gradients of the formula."""
    gradients_agree(student, None)


@pytest.mark.gradient
@pytest.mark.needs("test_a_blocked_sentence_gets_zeros", "test_gradients_reach_layers_and_states")
def test_a_blocked_sentence_leaves_gradients_finite(student):
    """Where a whole sentence is blocked, gradients are still finite and those of the formula."""
    gradients_agree(student, one_sentence_blocked())


def gradients_agree(student, mask):
    """Gradients reach the layers, and those of both inputs are the oracle's."""
    attention, layers = built(student)
    inputs, upstream = states(seed=6), sample(BATCH, D_ENCODER, seed=7)
    seen = observe(attention, *inputs, mask=mask, upstream=upstream)
    for place, what in enumerate(("decoder state", "encoder states")):

        def context(given, place=place):
            changed = [*inputs[:place], given, *inputs[place + 1 :]]
            return oracle.additive_attention(layers, *changed, mask)[0]

        gradient = seen.input_gradients[place]
        check(gradient is not None, f"no gradient reaches the {what}", facts=(what,))
        assert_finite(gradient, what=f"the gradient of the {what}")
        expected = oracle.input_gradient(context, inputs[place], upstream)
        assert_close(gradient, expected, rtol=1e-3, atol=1e-3, what=f"the gradient of the {what}")
    assert_gradients_reach(seen, *LAYERS)


@pytest.mark.device
@pytest.mark.needs(MASKED)
def test_everything_moves_to_another_device(student):
    """After .to(device) no tensor is left behind, and none is made on the CPU on the way."""
    attention, _ = built(student)
    assert_follows_device(attention, *states(), padded())


@pytest.mark.dtype
@pytest.mark.needs(MASKED)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it."""
    attention, layers = built(student)
    inputs, mask = states(dtype=dtype), padded()
    context, weights = attended(attention.to(dtype), *inputs, mask)
    assert_dtype(weights, dtype, what="the weights")
    assert_dtype(context, dtype, what="the context")
    assert_finite(context, what="the context")
    if dtype == torch.float64:
        _, expected = oracle.additive_attention(layers, *inputs, mask)
        assert_close(weights, expected, dims=ITEMS, what="the weights")


@pytest.mark.state
@pytest.mark.needs(CONTEXT)
def test_parameters_are_the_three_layers(student):
    """The parameters are W_s, W_h and v, without bias; loading them into a new module restores all."""
    attention, _ = built(student)
    has = set(describe(attention).parameters)
    check(
        has == set(LAYERS),
        "the parameters are not the weights of W_s, W_h and v alone",
        facts=tuple(sorted(has)),
    )
    twin = student.AdditiveAttention(D_DECODER, D_ENCODER, D_ATTENTION)
    twin.load_state_dict(attention.state_dict())
    inputs = states()
    context, _ = attended(attention, *inputs)
    again, _ = attended(twin, *inputs)
    assert_close(again, context, dims=FEATURES, what="the context of a module that was loaded")
