"""Rotary encodings of small heads, with numbers that a pocket calculator gives."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, check, must_raise, observe, sample


@pytest.mark.shape
def test_queries_keep_their_shape(student):
    """Two sequences with three heads of width 4 keep their shape."""
    assert_shape(student.apply_rotary(sample(2, 3, 5, 4), torch.arange(5)), (2, 3, 5, 4), what="the result")


@pytest.mark.values
def test_the_worked_example(student):
    """At position 2 the pairs of (1, 0, 1, 0) turn by 2 and by 0.02; at position 0 nothing turns."""
    x = torch.tensor([[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    expected = torch.tensor([[1.0, 0.0, 1.0, 0.0], [-0.416147, 0.909297, 0.999800, 0.019999]])
    turned = student.apply_rotary(x, torch.tensor([0, 2]))
    assert_close(turned, expected, dims=("token", "dimension"), what="the result")


@pytest.mark.values
def test_second_dimensions_of_pairs(student):
    """At position 2 (0, 1) turns into (-0.9093, -0.4161): the second dimension feeds the first."""
    turned = student.apply_rotary(torch.tensor([[0.0, 1.0]]), torch.tensor([2]))
    expected = torch.tensor([[-0.909297, -0.416147]])
    assert_close(turned, expected, dims=("token", "dimension"), what="the result")


@pytest.mark.values
def test_scores_know_the_distance_alone(student):
    """One query and one key have the same score at positions 5 and 3 as at 12 and 10, another at 12 and 3."""
    query, key = torch.tensor([1.0, 2.0, -1.0, 0.5]), torch.tensor([0.5, -1.0, 2.0, 1.0])
    both = torch.stack([query, query, key, key])
    turned = student.apply_rotary(both, torch.tensor([5, 12, 3, 10]))
    assert_shape(turned, (4, 4), what="the result")
    scores = (turned[:2] @ turned[2:].T).double()
    check(
        abs(scores[0, 0] - scores[1, 1]) < 1e-4,
        "the score at positions 5 and 3 is not the score at 12 and 10",
        facts=("differs",),
    )
    check(abs(scores[0, 0] - scores[1, 0]) > 1e-2, "the distance does not change the score", facts=("same",))


@pytest.mark.values
def test_the_input_is_left_alone(student):
    """The result is a new tensor; x keeps its numbers."""
    x = torch.tensor([[1.0, 0.0, 1.0, 0.0]])
    seen = observe(student.apply_rotary, x, torch.tensor([2]), inputs=True)
    assert_close(seen.inputs_after[0], x, what="x after the call")


@pytest.mark.errors
def test_an_odd_width_is_refused(student):
    """A head_dim of 3 raises an error."""
    must_raise(student.apply_rotary, sample(5, 3), torch.arange(5), what="a head_dim of 3")
