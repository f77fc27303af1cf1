"""The graded suite of CausalAttention. Weights are pushed, expected values come from the oracle.

All checks but one use the full context of 9 tokens, so that a module which cannot take shorter inputs
loses that one.
"""

from zlib import crc32

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
)

BATCH, D_IN, D_OUT, CONTEXT = 2, 10, 12, 9
PROJECTIONS = ("W_query", "W_key", "W_value")


def with_projections(attention):
    """Push weights as with_weights does, after a look whether the three projections are there; return them.

    A mask that is kept as a parameter keeps its numbers; only the checks of the state look at it.
    """
    weights = {}
    parts = assert_names(attention, tuple(f"{name}.weight" for name in PROJECTIONS))
    for name, facts in parts.parameters.items():
        if "." in name or (facts.requires_grad and name != "mask"):
            scale = 2 / facts.shape[-1] ** 0.5 if len(facts.shape) > 1 else 0.5
            weights[name] = sample(*facts.shape, seed=crc32(name.encode()), scale=scale)
    push(attention, weights)
    return weights


def built(student, dropout=0.0):
    """A module in eval mode with pushed weights and biases, and these weights."""
    attention = student.CausalAttention(D_IN, D_OUT, CONTEXT, dropout, qkv_bias=True).eval()
    return attention, with_projections(attention)


@pytest.mark.shape
@pytest.mark.enforces(
    "x (batch, tokens, d_in) -> context (batch, tokens, d_out), for any tokens <= context_length"
)
def test_one_context_vector_a_token(student):
    """(batch, tokens, d_in) goes in, (batch, tokens, d_out) comes out."""
    attention, _ = built(student)
    assert_shape(attention(sample(BATCH, CONTEXT, D_IN)), (BATCH, CONTEXT, D_OUT), what="the context")


@pytest.mark.mask
@pytest.mark.enforces("scores of all pairs of tokens, within each sequence")
def test_queries_and_keys_decide(student):
    """Other weights in W_query and W_key give other contexts: a token does not just take an average."""
    x = sample(BATCH, CONTEXT, D_IN, scale=0.1)
    attention, _ = built(student)
    other, weights = built(student)
    push(other, {"W_query.weight": -weights["W_query.weight"], "W_key.weight": 2 * weights["W_key.weight"]})
    contexts = []
    for module in (attention, other):
        contexts.append(module(x))
        assert_shape(contexts[-1], (BATCH, CONTEXT, D_OUT), what="the context")
    same = torch.isclose(*contexts, rtol=1e-3, atol=1e-5)
    check(
        not same.all(),
        "other weights in W_query and W_key leave every context vector as it was",
        facts=("same",),
    )


def reactions(student):
    """(changed, query) of bool: whether the context of a query moves when one token is another one."""
    attention, _ = built(student)
    x = sample(CONTEXT, D_IN, scale=0.1)  # quiet inputs: no weight is close to 0
    versions = x.repeat(1 + CONTEXT, 1, 1)
    others = sample(CONTEXT, D_IN, seed=1, scale=0.1)
    for token in range(CONTEXT):
        versions[1 + token, token] = others[token]
    contexts = attention(versions)
    assert_shape(contexts, (1 + CONTEXT, CONTEXT, D_OUT), what="the context")
    assert_finite(contexts, what="the context")
    return (contexts[1:] - contexts[0]).abs().amax(dim=-1) > 1e-5


@pytest.mark.mask
@pytest.mark.needs("test_queries_and_keys_decide")
@pytest.mark.enforces("hides the future from every token")
def test_no_token_sees_the_future(student):
    """Another token later in the sequence moves no earlier context; an earlier token does move later ones."""
    moved = reactions(student)
    leaks = moved.tril(diagonal=-1).nonzero().tolist()
    check(not leaks, "a context vector changes when a later token changes", facts=tuple(map(tuple, leaks)))
    check(moved[0, 1:].all(), "a context vector stays the same when the first token changes")
    check(moved[1, 2:].all(), "a context vector stays the same when the second token changes")


@pytest.mark.mask
@pytest.mark.needs("test_no_token_sees_the_future")
@pytest.mark.enforces("gather context from itself and the tokens before it")
def test_each_token_sees_itself_and_its_past(student):
    """A context vector depends on its own token and on every token before it."""
    moved = reactions(student)
    blind = (~moved).triu().nonzero().tolist()
    check(not blind, "a context vector ignores a token that it may see", facts=tuple(map(tuple, blind)))


@pytest.mark.mask
@pytest.mark.needs("test_no_token_sees_the_future")
@pytest.mark.enforces("scores of all pairs of tokens, within each sequence")
def test_sequences_ignore_each_other(student):
    """Another token in one sequence of the batch moves contexts in that sequence alone."""
    attention, _ = built(student)
    x = sample(BATCH, CONTEXT, D_IN, scale=0.1)
    changed = x.clone()
    changed[0, 0] = sample(D_IN, seed=1, scale=0.1)
    contexts = attention(torch.cat([x, changed]))
    assert_shape(contexts, (2 * BATCH, CONTEXT, D_OUT), what="the context")
    assert_finite(contexts, what="the context")
    moved = (contexts[BATCH:] - contexts[:BATCH]).abs().amax(dim=-1) > 1e-5
    check(not moved[1].any(), "a token of one sequence changes the context in another sequence of the batch")
    check(
        moved[0, 1:].all(), "a token does not change the context of the tokens after it in its own sequence"
    )


@pytest.mark.values
@pytest.mark.enforces("then the weighted sum of the values")
def test_context_is_a_weighted_sum_of_values(student):
    """softmax(Q K^T / sqrt(d_k)) V over the visible tokens; a second call agrees, and the input stays."""
    attention, weights = built(student)
    x = sample(3, CONTEXT, D_IN)
    seen = observe(attention, x, times=2, inputs=True)
    expected = oracle.causal_attention(weights, x)
    dims = ("call", "batch", "token", "feature")
    assert_close(seen.value, torch.stack([expected, expected]), dims=dims, what="the context")
    assert_unmodified(seen, x)


@pytest.mark.values
@pytest.mark.parametrize("tokens", [7, 4, 2, 1])
def test_shorter_inputs(student, tokens):
    """An input may have fewer tokens than context_length."""
    attention, weights = built(student)
    x = sample(BATCH, tokens, D_IN)
    assert_close(attention(x), oracle.causal_attention(weights, x), what="the context")


@pytest.mark.values
def test_loud_inputs(student):
    """Inputs six times as large give scores in the hundreds, and a context that is still right and finite."""
    attention, weights = built(student)
    x = sample(BATCH, CONTEXT, D_IN, scale=6.0)
    assert_close(attention(x), oracle.causal_attention(weights, x), rtol=1e-3, atol=1e-3, what="the context")


@pytest.mark.dropout
def test_dropout_rests_in_eval_mode(student):
    """In eval mode a dropout rate changes nothing."""
    attention, weights = built(student, dropout=0.2)
    x = sample(BATCH, CONTEXT, D_IN)
    context = observe(attention, x, seed=5).value
    assert_close(context, oracle.causal_attention(weights, x), what="the context in eval mode")


RATE, DRAWS, SIZE = 0.2, 800, 6


def weights_in_train_mode(student):
    """Many draws (draws, query, key) of the weights in train mode, read off one-hot tokens; and once more.

    All scores are the same number, so without dropout a query spreads itself evenly over what it sees.
    W_value holds the identity twice: dropping a weight shows in both copies, dropping a feature in one.
    """
    attention = student.CausalAttention(SIZE, 2 * SIZE, SIZE, RATE, qkv_bias=True).train()
    with_projections(attention)
    zero, half, eye = torch.zeros(2 * SIZE, SIZE), torch.full((2 * SIZE,), 0.5), torch.eye(SIZE)
    same = {"W_query.weight": zero, "W_query.bias": half, "W_key.weight": zero, "W_key.bias": half}
    push(attention, same | {"W_value.weight": torch.cat([eye, eye]), "W_value.bias": torch.zeros(2 * SIZE)})
    contexts = observe(attention, eye.repeat(DRAWS, 1, 1), seed=11).value
    assert_shape(contexts, (DRAWS, SIZE, 2 * SIZE), what="the context")
    assert_finite(contexts, what="the context")
    return contexts.split(SIZE, dim=-1)


@pytest.mark.dropout
@pytest.mark.needs("test_queries_and_keys_decide")
def test_dropout_drops_single_weights(student):
    """In train mode single attention weights vanish: not features, not whole tokens or queries."""
    weights, again = weights_in_train_mode(student)
    check(
        torch.allclose(weights, again, atol=1e-6),
        "features of the context are dropped, not attention weights",
    )
    gone = weights.abs() < 1e-6
    visible = torch.ones(SIZE, SIZE, dtype=torch.bool).tril()
    rate = gone[:, visible].double().mean().item()
    words = f"in train mode {'no weight is' if rate == 0.0 else 'all weights are'} dropped"
    check(0.0 < rate < 1.0, words, facts=(rate == 0.0,))
    keys = gone[:, 4, :5] & gone[:, 5, :5]
    assert_rate(
        keys.double().mean().item(),
        rate**2,
        keys.numel(),
        what="the rate at which two queries lose the same key",
    )
    queries = gone[:, 5, 0::2] & gone[:, 5, 1::2]
    assert_rate(
        queries.double().mean().item(),
        rate**2,
        queries.numel(),
        what="the rate at which a query loses two keys",
    )


@pytest.mark.dropout
@pytest.mark.needs("test_dropout_drops_single_weights")
def test_dropout_rate_and_survivors(student):
    """In train mode a weight is dropped with the given probability p, and the others are divided by 1 - p."""
    weights, _ = weights_in_train_mode(student)
    visible = torch.ones(SIZE, SIZE).tril()
    seen = weights[:, visible > 0]
    gone = seen.abs() < 1e-6
    assert_rate(gone.double().mean().item(), RATE, gone.numel(), what="the rate at which weights are dropped")
    survivors = visible / visible.sum(dim=-1, keepdim=True) / (1 - RATE)
    expected = torch.where(gone, 0.0, survivors[visible > 0])
    assert_close(seen, expected, dims=("draw", "weight"), what="the weights that were not dropped")


@pytest.mark.gradient
@pytest.mark.needs("test_context_is_a_weighted_sum_of_values")
def test_gradients_reach_projections_and_input(student):
    """All three projections learn, and the gradient of the input is that of causal attention."""
    attention, weights = built(student)
    x, upstream = sample(BATCH, CONTEXT, D_IN), sample(BATCH, CONTEXT, D_OUT, seed=1)
    seen = observe(attention, x, upstream=upstream)
    # The gradient of W_key's bias is zero: it adds the same number to all scores of a query.
    assert_gradients_reach(seen, *(f"{name}.weight" for name in PROJECTIONS))
    expected = oracle.input_gradient(lambda given: oracle.causal_attention(weights, given), x, upstream)
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=1e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs("test_context_is_a_weighted_sum_of_values")
@pytest.mark.enforces("it moves with the module to another device")
def test_everything_moves_to_another_device(student):
    """After .to(device) no tensor is left behind, and none is made on the CPU on the way."""
    attention, _ = built(student)
    assert_follows_device(attention, sample(BATCH, CONTEXT, D_IN))


@pytest.mark.device
@pytest.mark.needs("test_shorter_inputs", "test_everything_moves_to_another_device")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
def test_shorter_inputs_on_another_device(student):
    """No tensor is made on the CPU for an input that is shorter than context_length either."""
    attention, _ = built(student)
    assert_follows_device(attention, sample(BATCH, 5, D_IN))


@pytest.mark.dtype
@pytest.mark.needs("test_context_is_a_weighted_sum_of_values")
@pytest.mark.enforces("Moved to another device or number type, it works there, in that type.")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it."""
    attention, weights = built(student)
    x = sample(BATCH, CONTEXT, D_IN).to(dtype)
    context = attention.to(dtype)(x)
    assert_dtype(context, dtype, what="the context")
    assert_finite(context, what="the context")
    if dtype == torch.float64:
        assert_close(context, oracle.causal_attention(weights, x), what="the context")


@pytest.mark.state
@pytest.mark.needs("test_context_is_a_weighted_sum_of_values")
def test_mask_is_a_buffer(student):
    """The mask is registered as a buffer with the name mask."""
    attention, _ = built(student)
    assert_names(attention, buffers=("mask",))


@pytest.mark.state
@pytest.mark.needs("test_context_is_a_weighted_sum_of_values")
def test_parameters_are_the_projections(student):
    """The parameters are the three projections, biased only if qkv_bias says so; loading restores all."""
    attention, _ = built(student)
    biased = {f"{name}.{part}" for name in PROJECTIONS for part in ("weight", "bias")}
    plain = {f"{name}.weight" for name in PROJECTIONS}
    has = set(describe(attention).parameters)
    check(
        has == biased,
        f"with qkv_bias=True these parameters are missing, or too many: {', '.join(sorted(has ^ biased))}",
        facts=tuple(sorted(has)),
    )
    has = set(describe(student.CausalAttention(D_IN, D_OUT, CONTEXT, 0.0)).parameters)
    says = f"without qkv_bias these parameters are missing, or too many: {', '.join(sorted(has ^ plain))}"
    check(has == plain, says, facts=tuple(sorted(has)))
    twin = student.CausalAttention(D_IN, D_OUT, CONTEXT, 0.0, qkv_bias=True).eval()
    twin.load_state_dict(attention.state_dict())
    x = sample(BATCH, CONTEXT, D_IN)
    context = attention(x)
    assert_shape(context, (BATCH, CONTEXT, D_OUT), what="the context")
    assert_close(twin(x), context, what="the context of a module that was loaded from the saved state")


@pytest.mark.errors
@pytest.mark.needs("test_one_context_vector_a_token")
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
}
CONTEXT_OF_THE_BOOK = [
    [-0.4519, 0.2216],
    [-0.5874, 0.0058],
    [-0.6300, -0.0632],
    [-0.5675, -0.0843],
    [-0.5526, -0.0981],
    [-0.5299, -0.1081],
]


@pytest.mark.book
def test_context_matches_the_book(student):
    """With the book's weights, its six tokens get the context vectors that are printed there."""
    attention = student.CausalAttention(3, 2, 6, 0.0).eval()
    with_projections(attention)
    push(attention, {name: torch.tensor(weight) for name, weight in WEIGHTS_OF_THE_BOOK.items()})
    batch = torch.tensor([INPUTS_OF_THE_BOOK, INPUTS_OF_THE_BOOK])
    expected = torch.tensor([CONTEXT_OF_THE_BOOK, CONTEXT_OF_THE_BOOK])
    assert_close(attention(batch), expected, atol=2e-4, what="the context")
