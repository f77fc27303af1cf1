"""The graded suite of MultiHeadAttentionWrapper. Weights are pushed, expected values come from the oracle.

Heads in a plain list are found too, so that whoever forgets the ModuleList loses the checks that are about
it, and no more.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    Remote,
    StudentRaised,
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_gradients_reach,
    assert_rate,
    assert_shape,
    assert_unmodified,
    check,
    describe,
    must_raise,
    observe,
    push,
    read,
    sample,
    with_weights,
)

BATCH, TOKENS, D_IN, D_OUT, HEADS, CONTEXT = 2, 7, 9, 4, 3, 8
PROJECTIONS = ("W_query", "W_key", "W_value")


IN_A_LIST = """
def heads(wrapper):
    kept = getattr(wrapper, "heads", None)
    return list(kept) if isinstance(kept, (list, tuple)) else []
"""


def in_a_plain_list(student, wrapper):
    """The heads as modules, if they are kept in a plain list, where the wrapper does not know them."""
    return [head for head in student.define(IN_A_LIST).heads(wrapper) if isinstance(head, Remote)]


def filled(student, wrapper):
    """Push weights and return them by name, such as heads.0.W_query.weight."""
    weights = with_weights(wrapper)
    if any(name.startswith("heads.") for name in weights):
        return weights
    if weights:
        read(wrapper, "heads")  # if they have another name, the message says which
    in_list = in_a_plain_list(student, wrapper)
    check(in_list, "the wrapper keeps no heads: it has nothing called heads before its first call")
    for index, head in enumerate(in_list):
        own = with_weights(head, scale=1.5 + index / 2)
        weights |= {f"heads.{index}.{name}": weight for name, weight in own.items()}
    return weights


def built(student, num_heads=HEADS, dropout=0.0):
    """A wrapper in eval mode with pushed weights and biases, and these weights, a set for each head."""
    wrapper = student.MultiHeadAttentionWrapper(
        D_IN, D_OUT, CONTEXT, dropout, num_heads=num_heads, qkv_bias=True
    ).eval()
    weights = filled(student, wrapper)
    for name in matrices(num_heads):
        check(name in weights, f"there is no {name}", facts=(name,))
        assert_shape(weights[name], (D_OUT, D_IN), what=name)
    return wrapper, weights


def matrices(num_heads=HEADS):
    """The names of the matrices of all heads."""
    return [f"heads.{head}.{name}.weight" for head in range(num_heads) for name in PROJECTIONS]


@pytest.mark.shape
@pytest.mark.enforces("Shapes: x (batch, tokens, d_in) -> context (batch, tokens, d_out * num_heads)")
@pytest.mark.parametrize("num_heads", [HEADS, 1])
def test_features_of_all_heads(student, num_heads):
    """(batch, tokens, d_in) goes in, (batch, tokens, d_out * num_heads) comes out."""
    wrapper = student.MultiHeadAttentionWrapper(D_IN, D_OUT, CONTEXT, 0.0, num_heads, qkv_bias=True).eval()
    filled(student, wrapper)
    assert_shape(wrapper(sample(BATCH, TOKENS, D_IN)), (BATCH, TOKENS, D_OUT * num_heads), what="the context")


@pytest.mark.values
@pytest.mark.enforces("concatenate their contexts along the features, head 0 first")
@pytest.mark.parametrize(("num_heads", "tokens"), [(HEADS, TOKENS), (1, TOKENS), (HEADS, CONTEXT), (2, 1)])
def test_heads_stand_side_by_side(student, num_heads, tokens):
    """The context holds head 0's context vector, then head 1's, and so on; every head sees all of x."""
    wrapper, weights = built(student, num_heads)
    x = sample(BATCH, tokens, D_IN)
    seen = observe(wrapper, x, inputs=True)
    assert_close(seen.value, oracle.stacked_heads(weights, x, num_heads), what="the context")
    assert_unmodified(seen, x)


STARTS = """
def equal_starts(wrapper):
    matrices = [head.W_query.weight for head in wrapper.heads]
    return [i for i in range(1, len(matrices)) if bool((matrices[0] == matrices[i]).all())]
"""


@pytest.mark.values
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_heads_start_from_weights_of_their_own(student):
    """No two heads begin with the same random weights."""
    wrapper = student.MultiHeadAttentionWrapper(D_IN, D_OUT, CONTEXT, 0.0, num_heads=HEADS)
    equal = student.define(STARTS).equal_starts(wrapper)
    check(not equal, "several heads start from the same weights", facts=tuple(equal))


@pytest.mark.dropout
@pytest.mark.needs("test_heads_stand_side_by_side")
@pytest.mark.enforces("and `eval` would not reach them")
def test_dropout_rests_in_eval_mode(student):
    """In eval mode a dropout rate changes nothing, in any head."""
    wrapper, weights = built(student, dropout=0.2)
    x = sample(BATCH, TOKENS, D_IN)
    context = observe(wrapper, x, seed=5).value
    assert_close(context, oracle.stacked_heads(weights, x, HEADS), what="the context in eval mode")


RATE, DRAWS, SIZE = 0.2, 600, 5


def weights_in_train_mode(student):
    """Many draws (draws, query, key) of the weights of two heads in train mode, and both once more.

    All scores are 0, so without dropout a query spreads itself evenly over what it sees. W_value holds the
    identity twice: dropping a weight shows in both copies, dropping a feature in one.
    """
    wrapper = student.MultiHeadAttentionWrapper(SIZE, 2 * SIZE, SIZE, RATE, num_heads=2).train()
    filled(student, wrapper)
    zero, eye = torch.zeros(2 * SIZE, SIZE), torch.eye(SIZE)
    same = {"W_query.weight": zero, "W_key.weight": zero, "W_value.weight": torch.cat([eye, eye])}
    same |= {f"{name}.bias": torch.zeros(2 * SIZE) for name in PROJECTIONS}
    push(wrapper, {f"heads.{head}.{name}": value for head in range(2) for name, value in same.items()})
    for head in in_a_plain_list(student, wrapper):
        push(head, same)
    contexts = observe(wrapper, eye.repeat(DRAWS, 1, 1), seed=11).value
    assert_shape(contexts, (DRAWS, SIZE, 4 * SIZE), what="the context")
    assert_finite(contexts, what="the context")
    return contexts.split(SIZE, dim=-1)


@pytest.mark.dropout
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_every_head_drops_its_own_weights(student):
    """In train mode every head drops weights with probability dropout, divides the others by 1 - dropout,
    and draws for itself."""
    first, first_again, second, second_again = weights_in_train_mode(student)
    visible = torch.ones(SIZE, SIZE).tril()
    survivors = (visible / visible.sum(dim=-1, keepdim=True) / (1 - RATE))[visible > 0]
    gone = []
    for head, (weights, again) in enumerate([(first, first_again), (second, second_again)]):
        seen = weights[:, visible > 0]
        check(
            torch.allclose(weights, again, atol=1e-6),
            f"in head {head} features of the context are dropped, not attention weights",
        )
        gone.append(seen.abs() < 1e-6)
        rate = gone[-1].double().mean().item()
        assert_rate(rate, RATE, seen.numel(), what=f"the rate at which head {head} drops weights")
        expected = torch.where(gone[-1], 0.0, survivors)
        assert_close(seen, expected, dims=("draw", "weight"), what=f"what head {head} did not drop")
    both = (gone[0] & gone[1]).double().mean().item()
    assert_rate(both, RATE**2, gone[0].numel(), what="the rate at which both heads lose the same weight")


@pytest.mark.gradient
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_gradients_reach_every_head(student):
    """All matrices of all heads learn, and the gradient of the input is the sum of what the heads send."""
    wrapper, weights = built(student)
    x, upstream = sample(BATCH, TOKENS, D_IN), sample(BATCH, TOKENS, D_OUT * HEADS, seed=1)
    seen = observe(wrapper, x, upstream=upstream)
    assert_gradients_reach(seen, *matrices())
    expected = oracle.input_gradient(lambda given: oracle.stacked_heads(weights, given, HEADS), x, upstream)
    assert_close(seen.input_gradients[0], expected, rtol=1e-3, atol=1e-3, what="the gradient of the input")


@pytest.mark.device
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_everything_moves_to_another_device(student):
    """After .to(device) no head is left behind, and no tensor is made on the CPU on the way."""
    wrapper, _ = built(student)
    try:
        assert_follows_device(wrapper, sample(BATCH, TOKENS, D_IN))
    except StudentRaised as error:  # so torch refuses to write into a tensor of the CPU
        says = "contexts are written into a tensor that was made on the CPU"
        check("out of meta tensor" not in error.message, says, outcome="wrong-device")
        raise


@pytest.mark.dtype
@pytest.mark.needs("test_heads_stand_side_by_side")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_number_type_is_kept(student, dtype):
    """A wrapper moved to another number type takes it and returns it."""
    wrapper, weights = built(student)
    x = sample(BATCH, TOKENS, D_IN).to(dtype)
    context = wrapper.to(dtype)(x)
    assert_dtype(context, dtype, what="the context")
    assert_finite(context, what="the context")
    if dtype == torch.float64:
        assert_close(context, oracle.stacked_heads(weights, x, HEADS), what="the context")


@pytest.mark.state
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_parameters_are_those_of_the_heads(student):
    """The parameters are the projections of all heads, biased only if qkv_bias says so."""
    plain = set(matrices())
    biased = plain | {name.replace("weight", "bias") for name in plain}
    wrapper, _ = built(student)
    has = set(describe(wrapper).parameters)
    check(
        has == biased,
        "with qkv_bias=True the parameters are not three weights and three biases for each head",
        facts=tuple(sorted(has)),
    )
    has = set(describe(student.MultiHeadAttentionWrapper(D_IN, D_OUT, CONTEXT, 0.0, HEADS)).parameters)
    check(
        has == plain,
        "without qkv_bias the parameters are not three weights for each head",
        facts=tuple(sorted(has)),
    )


@pytest.mark.errors
@pytest.mark.needs("test_heads_stand_side_by_side")
def test_too_many_tokens_are_refused(student):
    """More tokens than context_length raise an error."""
    wrapper, _ = built(student)
    must_raise(wrapper, sample(BATCH, CONTEXT + 2, D_IN), what="10 tokens, with a context_length of 8")


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS_OF_THE_BOOK = {
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "heads.0.W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "heads.0.W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
    "heads.1.W_query.weight": [[-0.136157, 0.185322, 0.408269], [0.107564, 0.157877, 0.557292]],
    "heads.1.W_key.weight": [[-0.260390, 0.182876, -0.256872], [0.412603, 0.461105, -0.532301]],
    "heads.1.W_value.weight": [[0.492853, 0.275693, 0.251590], [0.237681, 0.479951, -0.076233]],
}
CONTEXT_OF_THE_BOOK = [
    [-0.4519, 0.2216, 0.4772, 0.1063],
    [-0.5874, 0.0058, 0.5891, 0.3257],
    [-0.6300, -0.0632, 0.6202, 0.3860],
    [-0.5675, -0.0843, 0.5478, 0.3589],
    [-0.5526, -0.0981, 0.5321, 0.3428],
    [-0.5299, -0.1081, 0.5077, 0.3493],
]


@pytest.mark.book
def test_context_matches_the_book(student):
    """With the book's weights, its six tokens get the context vectors that are printed there."""
    wrapper = student.MultiHeadAttentionWrapper(3, 2, 6, 0.0, num_heads=2).eval()
    filled(student, wrapper)
    weights = {name: torch.tensor(weight) for name, weight in WEIGHTS_OF_THE_BOOK.items()}
    push(wrapper, weights)
    for index, head in enumerate(in_a_plain_list(student, wrapper)):
        prefix = f"heads.{index}."
        push(head, {name[len(prefix) :]: weights[name] for name in weights if name.startswith(prefix)})
    batch = torch.tensor([INPUTS_OF_THE_BOOK, INPUTS_OF_THE_BOOK])
    expected = torch.tensor([CONTEXT_OF_THE_BOOK, CONTEXT_OF_THE_BOOK])
    assert_close(wrapper(batch), expected, atol=2e-4, what="the context")
