"""The graded suite of CrossAttention. Weights are pushed, expected values come from the oracle.

Every size is another one. Where a mistake then raises, a case beside it has two sizes alike, so that code
that counts on luck runs, and its values tell what it does.
"""

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
    describe,
    must_raise,
    observe,
    sample,
    with_weights,
)

BATCH, N_TARGET, N_SOURCE, D_TARGET, D_SOURCE, HEADS = 2, 5, 7, 12, 10, 3
DIMS, FEATURES = ("item", "head", "query", "key"), ("item", "token", "feature")
SHAPES, WEIGHTS, OUTPUT = "test_output_and_weights_come_back", "test_weights", "test_output"
MASKED, MASKED_OUTPUT = "test_blocked_tokens_get_no_weight", "test_output_uses_the_masked_weights"
EMPTY = "test_a_sentence_that_is_all_padding_gets_zeros"
SIZES = [  # batch, n_target, n_source, d_source, heads
    pytest.param(BATCH, N_TARGET, N_SOURCE, D_SOURCE, HEADS, id="all different"),
    pytest.param(BATCH, N_TARGET, 4, D_TARGET, HEADS, id="equally wide"),
    pytest.param(3, 6, 6, D_TARGET, 2, id="equally long and wide"),
    pytest.param(4, 4, 3, D_SOURCE, 1, id="one head"),
]


def layers_of(d_source=D_SOURCE):
    """The layers and the shapes of their weights."""
    return {
        "W_Q.weight": (D_TARGET, D_TARGET),
        "W_K.weight": (D_TARGET, d_source),
        "W_V.weight": (D_TARGET, d_source),
        "W_O.weight": (D_TARGET, D_TARGET),
    }


def built(student, d_source=D_SOURCE, heads=HEADS):
    """A module with pushed weights, after a look whether the four layers are there; and these weights."""
    attention = student.CrossAttention(D_TARGET, d_source, heads)
    wanted = layers_of(d_source)
    assert_names(attention, tuple(wanted))
    weights = with_weights(attention)
    for name, shape in wanted.items():
        found = tuple(weights[name].shape)
        says = f"{name} has shape {found}, not {shape}"
        check(found == shape, says, outcome="wrong-shape", facts=(name, found))
    return attention, weights


def sentences(batch=BATCH, n_target=N_TARGET, n_source=N_SOURCE, d_source=D_SOURCE, seed=0):
    """The target and the source of each sentence."""
    return (
        sample(batch, n_target, D_TARGET, seed=seed),
        sample(batch, n_source, d_source, seed=seed + 100),
    )


def padding(batch=BATCH, n_source=N_SOURCE):
    """(batch, n_source): padding at the end of the first sentence, and in front of the others."""
    mask = torch.zeros(batch, n_source, dtype=torch.bool)
    mask[0, -3:] = True
    mask[1:, 0] = True
    return mask


def one_sentence_blocked():
    """(batch, n_source): the same, and nothing of the second sentence may be seen."""
    mask = padding()
    mask[1] = True
    return mask


def attended(attention, *inputs, **kwargs):
    """The output and the weights of one call, after a look whether there are two."""
    found = attention(*inputs, **kwargs)
    pair = isinstance(found, (tuple, list)) and len(found) == 2
    says = "forward should return a pair: the output and the weights"
    check(pair, says, facts=(type(found).__name__,))
    return found


@pytest.mark.shape
def test_output_and_weights_come_back(student):
    """A pair comes back: output (batch, n_target, d_target), weights (batch, heads, n_target, n_source)."""
    attention, _ = built(student)
    output, weights = attended(attention, *sentences())
    assert_shape(output, (BATCH, N_TARGET, D_TARGET), what="the output")
    assert_shape(weights, (BATCH, HEADS, N_TARGET, N_SOURCE), what="the weights")


@pytest.mark.shape
@pytest.mark.needs(SHAPES)
@pytest.mark.parametrize(("batch", "n_target", "n_source"), [(1, 5, 7), (2, 1, 7), (2, 5, 1), (1, 1, 1)])
def test_one_of_something(student, batch, n_target, n_source):
    """A batch of one, a target of one token and a source of one token keep all their dimensions."""
    attention, _ = built(student)
    mask = torch.zeros(batch, n_source, dtype=torch.bool)
    output, weights = attended(attention, *sentences(batch, n_target, n_source), mask)
    assert_shape(output, (batch, n_target, D_TARGET), what="the output")
    assert_shape(weights, (batch, HEADS, n_target, n_source), what="the weights")


@pytest.mark.values
@pytest.mark.needs(SHAPES)
@pytest.mark.parametrize(("batch", "n_target", "n_source", "d_source", "heads"), SIZES)
def test_weights(student, batch, n_target, n_source, d_source, heads):
    """The weights of a head are one softmax a target token, over all source tokens, of the scaled scores."""
    attention, layers = built(student, d_source, heads)
    inputs = sentences(batch, n_target, n_source, d_source, seed=1)
    _, weights = attended(attention, *inputs)
    _, expected = oracle.cross_attention(layers, *inputs, heads)
    assert_close(weights, expected, dims=DIMS, what="the weights")


@pytest.mark.values
@pytest.mark.needs(SHAPES)
@pytest.mark.parametrize(("batch", "n_target", "n_source", "d_source", "heads"), SIZES)
def test_output(student, batch, n_target, n_source, d_source, heads):
    """The output is W_O applied to the weighted sums of the source's values, the heads side by side."""
    attention, layers = built(student, d_source, heads)
    inputs = sentences(batch, n_target, n_source, d_source, seed=1)
    output, _ = attended(attention, *inputs)
    expected, _ = oracle.cross_attention(layers, *inputs, heads)
    assert_close(output, expected, dims=FEATURES, what="the output")


@pytest.mark.values
@pytest.mark.needs(WEIGHTS, OUTPUT)
def test_a_call_depends_on_its_input_alone(student):
    """A call after another one, with another source, gives what it gives alone."""
    attention, layers = built(student)
    attended(attention, *sentences(seed=3), padding())
    inputs = sentences(seed=2)
    output, _ = attended(attention, *inputs)
    expected, _ = oracle.cross_attention(layers, *inputs, HEADS)
    assert_close(output, expected, dims=FEATURES, what="the output of a second call")


@pytest.mark.values
@pytest.mark.needs(WEIGHTS)
@pytest.mark.enforces("Leave the tensors that you are given as they are.")
def test_arguments_are_left_alone(student):
    """Target, source and mask stay as they are, also with a sentence that is blocked altogether."""
    attention, _ = built(student)
    inputs, mask = sentences(seed=2), one_sentence_blocked()
    assert_unmodified(observe(attention, *inputs, mask, inputs=True), *inputs, mask)


@pytest.mark.mask
@pytest.mark.needs(WEIGHTS)
@pytest.mark.parametrize(("batch", "n_target", "n_source"), [(2, 5, 7), (3, 6, 6), (4, 4, 5)])
def test_blocked_tokens_get_no_weight(student, batch, n_target, n_source):
    """A blocked source token has no weight in any head; the others share the 1 of each target token."""
    attention, layers = built(student)
    inputs, mask = sentences(batch, n_target, n_source, seed=4), padding(batch, n_source)
    _, weights = attended(attention, *inputs, mask=mask)
    assert_shape(weights, (batch, HEADS, n_target, n_source), what="the weights")
    blocked = weights.movedim(-1, 1)[mask]
    seen = tuple((blocked.abs() > 1e-12).flatten().tolist())
    check(not any(seen), "a blocked source token still has some weight", facts=seen)
    _, expected = oracle.cross_attention(layers, *inputs, HEADS, mask)
    assert_close(weights, expected, dims=DIMS, what="the weights")


@pytest.mark.mask
@pytest.mark.needs(MASKED, OUTPUT)
def test_output_uses_the_masked_weights(student):
    """The output is made with the weights that are returned, so nothing of a blocked token is in it."""
    attention, layers = built(student)
    inputs, mask = sentences(seed=4), padding()
    output, _ = attended(attention, *inputs, mask)
    expected, _ = oracle.cross_attention(layers, *inputs, HEADS, mask)
    assert_close(output, expected, dims=FEATURES, what="the output")


@pytest.mark.mask
@pytest.mark.needs(MASKED_OUTPUT)
@pytest.mark.enforces("a sentence with all of its source blocked gets all-zero weights")
def test_a_sentence_that_is_all_padding_gets_zeros(student):
    """A sentence with all of its source blocked has the weights 0 and the output 0; the other is as ever."""
    attention, layers = built(student)
    inputs, mask = sentences(seed=5), one_sentence_blocked()
    output, weights = attended(attention, *inputs, mask)
    expected_output, expected = oracle.cross_attention(layers, *inputs, HEADS, mask)
    expected_output[1] = 0.0  # also where a layer has a bias
    assert_close(weights, expected, dims=DIMS, what="the weights")
    assert_close(output, expected_output, dims=FEATURES, what="the output")


@pytest.mark.gradient
@pytest.mark.needs(WEIGHTS, OUTPUT)
def test_gradients_reach_layers_and_both_sequences(student):
    """All four layers learn, and target and source get the gradients of the formula."""
    gradients_agree(student, None)


@pytest.mark.gradient
@pytest.mark.needs(EMPTY, "test_gradients_reach_layers_and_both_sequences")
@pytest.mark.enforces("A sentence whose source is blocked altogether gets zeros, and finite gradients.")
def test_gradients_stay_finite(student):
    """Where a sentence is all padding, gradients are finite and those of the formula."""
    gradients_agree(student, one_sentence_blocked())


def gradients_agree(student, mask):
    """Gradients reach the layers, and those of both sequences are the oracle's."""
    attention, layers = built(student)
    inputs, upstream = sentences(seed=6), sample(BATCH, N_TARGET, D_TARGET, seed=7)
    seen = observe(attention, *inputs, mask=mask, upstream=upstream)
    for place, what in enumerate(("target", "source")):

        def output(given, place=place):
            changed = [*inputs[:place], given, *inputs[place + 1 :]]
            return oracle.cross_attention(layers, *changed, HEADS, mask)[0]

        gradient = seen.input_gradients[place]
        check(gradient is not None, f"no gradient reaches the {what}", facts=(what,))
        assert_finite(gradient, what=f"the gradient of the {what}")
        expected = oracle.input_gradient(output, inputs[place], upstream)
        assert_close(gradient, expected, rtol=1e-3, atol=2e-3, what=f"the gradient of the {what}")
    assert_gradients_reach(seen, *layers)


@pytest.mark.device
@pytest.mark.needs(WEIGHTS)
def test_everything_is_on_the_device_of_the_input(student):
    """With a mask and without one, no tensor is made on the CPU on the way."""
    assert_follows_device(built(student)[0], *sentences())
    try:
        assert_follows_device(built(student)[0], *sentences(), padding())
    except StudentRaised as error:  # code may look at a mask before it acts; there is nothing to see on meta
        if "cannot be called on meta tensors" not in error.message:
            raise


@pytest.mark.dtype
@pytest.mark.needs(MASKED_OUTPUT)
@pytest.mark.enforces("Both results have the dtype of the target.")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it, masked or not."""
    attention, layers = built(student)
    target, source = sentences()
    inputs, mask = (target.to(dtype), source.to(dtype)), padding()
    attention = attention.to(dtype)
    for given in ((*inputs,), (*inputs, mask)):
        output, weights = attended(attention, *given)
        assert_dtype(output, dtype, what="the output")
        assert_dtype(weights, dtype, what="the weights")
        assert_finite(output, what="the output")
    if dtype == torch.float64:
        expected, _ = oracle.cross_attention(layers, *inputs, HEADS, mask)
        assert_close(output, expected, dims=FEATURES, what="the output")


@pytest.mark.state
@pytest.mark.needs(WEIGHTS, OUTPUT)
@pytest.mark.enforces("The four layers are nn.Linear without bias")
def test_parameters_are_the_four_layers(student):
    """The parameters are W_Q, W_K, W_V and W_O, without bias; loading them into a new module restores all."""
    attention, _ = built(student)
    parts, wanted = describe(attention), layers_of()
    says = "the parameters are not the weights of W_Q, W_K, W_V and W_O alone"
    check(set(parts.parameters) == set(wanted), says, facts=tuple(sorted(parts.parameters)))
    twin = student.CrossAttention(D_TARGET, D_SOURCE, HEADS)
    twin.load_state_dict(attention.state_dict())
    inputs = sentences()
    output, _ = attended(attention, *inputs)
    again, _ = attended(twin, *inputs)
    assert_close(again, output, dims=FEATURES, what="the output of a module that was loaded")


@pytest.mark.errors
@pytest.mark.needs(WEIGHTS)
@pytest.mark.parametrize("heads", [5, 16])
def test_heads_that_do_not_fit_are_refused(student, heads):
    """A number of heads that does not divide d_target raises an error."""
    must_raise(
        student.CrossAttention, D_TARGET, D_SOURCE, heads, what=f"{D_TARGET} features for {heads} heads"
    )
