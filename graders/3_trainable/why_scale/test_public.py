"""The public checks of why_scale: two simulations, and numbers to follow by hand."""

import pytest
import torch

from softmarks.testing import assert_close, assert_unmodified, observe

SEED = 3


@pytest.mark.shape
def test_each_returns_one_number(student):
    """Both functions return one number, for any size."""
    for value in (
        observe(student.score_variance, 4, False, samples=50, seed=SEED).value,
        student.softmax_gradient_norm(torch.tensor([1.0, 2.0, 0.5])),
    ):
        assert_close(value, 0.0, atol=1e6, what="the result")


@pytest.mark.values
@pytest.mark.parametrize("d_k", [4, 64])
def test_variance_without_and_with_the_scale(student, d_k):
    """Scores of d_k entries have a variance near d_k; scaled ones have a variance near 1."""
    raw = observe(student.score_variance, d_k, False, seed=SEED).value
    assert_close(raw, float(d_k), rtol=0.16, atol=0, what="the variance of raw scores")
    scaled = observe(student.score_variance, d_k, True, seed=SEED).value
    assert_close(scaled, 1.0, rtol=0.16, atol=0, what="the variance of scaled scores")


@pytest.mark.values
@pytest.mark.parametrize(
    ("scores", "norm"), [([0.0, 0.0], 0.5), ([4.0, 0.0], 0.0353), ([2.0, 2.0, 2.0], 0.4714)]
)
def test_norms_to_follow_by_hand(student, scores, norm):
    """(0, 0) has the norm 0.5, (4, 0) has 0.0353, three equal scores have 0.4714."""
    assert_close(student.softmax_gradient_norm(torch.tensor(scores)), norm, what="the norm")


@pytest.mark.values
def test_saturated_scores_have_no_gradient(student):
    """At (20, 0, 0, 0) next to nothing is left, at (2000, 0, 0, 0) too; the scores stay as they are."""
    for loud in (20.0, 2000.0):
        scores = torch.tensor([loud, 0.0, 0.0, 0.0])
        seen = observe(student.softmax_gradient_norm, scores, inputs=True)
        assert_close(seen.value, 0.0, atol=1e-6, what="the norm")
        assert_unmodified(seen, scores)
