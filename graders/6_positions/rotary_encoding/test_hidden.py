"""The graded suite of apply_rotary: scores that know distances alone, rotations of neighbours, the angles."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    must_raise,
    observe,
    sample,
)

TOKENS, HEAD_DIM = 7, 10
ORDERED = torch.arange(TOKENS)
SCATTERED = torch.tensor([40, 3, 3, 0, 311, 8, 25])  # gaps, a repetition, no order
FAR = torch.tensor([999, 700, 3, 0, 250, 64, 480])
ANGLES = "test_each_pair_turns_by_its_angle"


def turned(student, x, positions):
    """What apply_rotary makes of x, in the shape of x."""
    result = student.apply_rotary(x, positions)
    assert_shape(result, x.shape, what="the result")
    return result


@pytest.mark.shape
@pytest.mark.enforces("the same shape, dtype and device as x")
@pytest.mark.parametrize("leading", [(2, 3), (2,), ()])
def test_the_shape_is_kept(student, leading):
    """The result has the shape of x, with any leading dimensions."""
    turned(student, sample(*leading, TOKENS, HEAD_DIM), ORDERED)


@pytest.mark.values
@pytest.mark.needs("test_the_shape_is_kept")
@pytest.mark.enforces("then knows the distance $p - q$, and neither $p$ nor $q$")
def test_scores_know_the_distance_alone(student):
    """A query and a key have the same score wherever they are, if only their distance is the same."""
    positions = torch.tensor([3, 0, 11, 4, 90, 7, 93])
    query, key = sample(HEAD_DIM), sample(HEAD_DIM, seed=1)
    vectors = torch.stack([query, key]).unsqueeze(1).expand(2, TOKENS, HEAD_DIM).contiguous()
    queries, keys = turned(student, vectors, positions).double()
    scores = queries @ keys.T
    distances = positions[:, None] - positions[None, :]
    same = distances.flatten()[:, None] == distances.flatten()[None, :]
    apart = (scores.flatten()[:, None] - scores.flatten()[None, :]).abs()
    says = "the score of one query and one key changes when both move on by the same number of tokens"
    check(bool((apart[same] < 1e-3).all()), says, facts=("moves",))
    spread = scores.max() - scores.min()
    check(bool(spread > 1e-2), "the score of one query and one key is the same at any distance")


@pytest.mark.values
@pytest.mark.needs("test_scores_know_the_distance_alone")
@pytest.mark.enforces("it *rotates* each query and each key by an angle")
def test_lengths_are_kept(student):
    """A rotation changes the direction of a vector, never its length."""
    x = sample(2, TOKENS, HEAD_DIM)
    lengths = turned(student, x, SCATTERED).norm(dim=-1)
    assert_close(lengths, x.norm(dim=-1), dims=("item", "token"), what="the length of the result")


@pytest.mark.values
@pytest.mark.needs("test_scores_know_the_distance_alone")
@pytest.mark.enforces("by an angle that grows with the token's position")
def test_position_0_changes_nothing(student):
    """At position 0 all angles are 0, wherever in the sequence that token is."""
    x = sample(2, TOKENS, HEAD_DIM)
    still = turned(student, x, torch.tensor([5, 0, 9, 0, 0, 31, 2]))[:, [1, 3, 4]]
    assert_close(still, x[:, [1, 3, 4]], dims=("item", "token", "dimension"), what="tokens at position 0")


@pytest.mark.values
@pytest.mark.needs("test_scores_know_the_distance_alone")
@pytest.mark.enforces("**pairs are neighbours here**")
def test_pairs_are_neighbours(student):
    """Dimension 2i turns into itself and dimension 2i + 1; no other dimension takes part."""
    each = torch.eye(HEAD_DIM).unsqueeze(1)  # one dimension is 1, all others are 0
    spread = turned(student, each, torch.tensor([40]))[:, 0]
    pair = torch.arange(HEAD_DIM) // 2
    astray = ((spread.abs() > 1e-6) & (pair[:, None] != pair[None, :])).nonzero().tolist()
    first = tuple(astray[0]) if astray else ()
    says = "dimension {} turns into dimension {}, which is not its partner".format(*first) if first else ""
    check(not astray, says, facts=tuple(map(tuple, astray)))


@pytest.mark.values
@pytest.mark.needs("test_the_shape_is_kept")
@pytest.mark.enforces("one frequency a pair, 10000^(-2i / head_dim); one angle for each token and pair")
@pytest.mark.parametrize("shape", [(2, 3, TOKENS, HEAD_DIM), (TOKENS, 2), (2, TOKENS, 64)])
def test_each_pair_turns_by_its_angle(student, shape):
    """Pair i of the token at position p turns by p * 10000^(-2i / head_dim)."""
    x = sample(*shape)
    dims = ("item", "head", "token", "dimension")
    dims = dims if len(shape) == 4 else (dims[0], *dims[2:])
    assert_close(student.apply_rotary(x, ORDERED), oracle.rotary(x, ORDERED), dims=dims, what="the result")


@pytest.mark.values
@pytest.mark.needs("test_the_shape_is_kept")
@pytest.mark.enforces("positions are given, so they may have gaps, repeat, or come in any order")
@pytest.mark.parametrize("positions", [SCATTERED, FAR])
def test_positions_in_any_order(student, positions):
    """Positions may have gaps, repeat and come in any order; each token turns by its own."""
    x = sample(2, TOKENS, HEAD_DIM)
    expected = oracle.rotary(x, positions)
    dims = ("item", "token", "dimension")
    assert_close(
        student.apply_rotary(x, positions), expected, rtol=0, atol=1e-3, dims=dims, what="the result"
    )


@pytest.mark.values
@pytest.mark.needs("test_scores_know_the_distance_alone")
@pytest.mark.enforces("x is not changed: the result is a new tensor")
def test_the_input_is_left_alone(student):
    """The result is a new tensor; x and positions keep their numbers."""
    x = sample(2, TOKENS, HEAD_DIM)
    assert_unmodified(observe(student.apply_rotary, x, SCATTERED, inputs=True), x, SCATTERED)


@pytest.mark.gradient
@pytest.mark.needs(ANGLES)
@pytest.mark.enforces("Gradients flow through it to x")
def test_gradients_turn_back(student):
    """The gradient of x is that of the result, rotated back."""
    x, upstream = sample(2, TOKENS, HEAD_DIM), sample(2, TOKENS, HEAD_DIM, seed=1)
    arrived = observe(student.apply_rotary, x, ORDERED, upstream=upstream).input_gradients[0]
    check(arrived is not None, "no gradient reaches x", facts=("none",))
    expected = oracle.input_gradient(lambda given: oracle.rotary(given, ORDERED), x, upstream)
    assert_close(arrived, expected, dims=("item", "token", "dimension"), what="the gradient of x")


@pytest.mark.device
@pytest.mark.needs(ANGLES)
@pytest.mark.enforces("New tensors go to the device of x, where positions are too")
def test_new_tensors_follow_the_input(student):
    """The frequencies are made on the device of x."""
    assert_follows_device(student.apply_rotary, sample(2, TOKENS, HEAD_DIM), ORDERED)


@pytest.mark.dtype
@pytest.mark.needs(ANGLES)
@pytest.mark.enforces("the same shape, dtype and device as x")
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-4), (torch.bfloat16, 4e-2)])
def test_the_number_type_is_kept(student, dtype, tolerance):
    """The result has the number type of x."""
    x = sample(2, TOKENS, HEAD_DIM, dtype=dtype)
    result = student.apply_rotary(x, ORDERED)
    assert_dtype(result, dtype, what="the result")
    dims = ("item", "token", "dimension")
    expected = oracle.rotary(x, ORDERED)
    assert_close(result, expected, rtol=tolerance, atol=tolerance, dims=dims, what="the result")


@pytest.mark.dtype
@pytest.mark.needs(ANGLES)
@pytest.mark.enforces("Work out the angles in float32 or better")
def test_far_positions_in_bfloat16(student):
    """In bfloat16 far positions turn by their own angles, not by those of a rounded position."""
    x, far = sample(2, 4, HEAD_DIM, dtype=torch.bfloat16), torch.tensor([257, 259, 413, 1021])
    dims, result = ("item", "token", "dimension"), student.apply_rotary(x, far)
    assert_close(result, oracle.rotary(x, far), rtol=4e-2, atol=4e-2, dims=dims, what="the result")


@pytest.mark.errors
@pytest.mark.needs(ANGLES)
@pytest.mark.enforces("an odd head_dim raises ValueError")
@pytest.mark.parametrize("head_dim", [9, 3, 1])
def test_an_odd_width_is_refused(student, head_dim):
    """An odd head_dim raises an error: one dimension would have no partner."""
    must_raise(student.apply_rotary, sample(TOKENS, head_dim), ORDERED, what=f"a head_dim of {head_dim}")
