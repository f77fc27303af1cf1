"""The graded suite of why_scale: an experiment with random numbers, and a norm that is no experiment.

Tolerances of the experiment: the variance of 10,000 scores scatters by 1.5 to 3 percent, so 16 percent
are five sigma at least; the mistakes are off by a factor of 2 or more. With 100,000 scores of d_k = 5 it
scatters by 0.6 percent, so 3 percent are five sigma; scores that are rounded down are off by a twelfth.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import assert_close, assert_finite, assert_unmodified, check, observe, sample

FIVE_SIGMA, FIVE_SIGMA_OF_MANY = 0.16, 0.03
ONE_VARIANCE, ONE_NORM = "test_the_variance_is_one_number", "test_the_norm_is_one_number"
DRAWN, RAW = "test_each_call_draws_new_numbers", "test_raw_scores_have_variance_d_k"
SCALED, SAMPLES = "test_scaled_scores_have_variance_one", "test_the_number_of_samples_is_used"
EQUAL, NORM = "test_equal_scores", "test_norm_of_the_whole_jacobian"


def one_number(value, what):
    """The number that was returned, as a float."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    fits = fits or (isinstance(value, torch.Tensor) and value.dim() == 0)
    kind = tuple(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
    check(fits, f"{what} is not one number", outcome="wrong-shape", facts=(kind,))
    return float(value)


def variances(student, d_k, scaled, seed, times, **kwargs):
    """The results of several calls, one after the other: (times,)."""
    results = observe(student.score_variance, d_k, scaled, seed=seed, times=times, **kwargs).value
    return torch.tensor([one_number(value, "the variance") for value in results])


@pytest.mark.shape
def test_the_variance_is_one_number(student):
    """score_variance returns one number."""
    one_number(observe(student.score_variance, 5, False, samples=40, seed=1).value, "the variance")


@pytest.mark.shape
@pytest.mark.enforces("scores (n,) -> one number, a float or a tensor without dimensions")
def test_the_norm_is_one_number(student):
    """softmax_gradient_norm returns one number."""
    one_number(student.softmax_gradient_norm(sample(5)), "the norm")


@pytest.mark.values
@pytest.mark.needs(ONE_VARIANCE)
def test_each_call_draws_new_numbers(student):
    """score_variance is an experiment: two calls do not give the same number."""
    found = variances(student, 5, False, seed=2, times=4, samples=30)
    assert_finite(found, what="the variance")  # no NaN is equal to another
    check(found.unique().numel() > 1, "several calls of score_variance give the same number")


@pytest.mark.values
@pytest.mark.needs(DRAWN)
@pytest.mark.parametrize("d_k", [1, 5, 64])
def test_raw_scores_have_variance_d_k(student, d_k):
    """Without the scale the variance of the scores is near d_k."""
    found = observe(student.score_variance, d_k, False, seed=3).value
    assert_close(
        found, float(d_k), rtol=FIVE_SIGMA, atol=0, what=f"the variance of unscaled scores for d_k={d_k}"
    )


@pytest.mark.values
@pytest.mark.needs(RAW)
@pytest.mark.parametrize("d_k", [5, 64])
def test_scaled_scores_have_variance_one(student, d_k):
    """With the scale the variance of the scores is near 1, whatever d_k is."""
    found = observe(student.score_variance, d_k, True, seed=4).value
    assert_close(found, 1.0, rtol=FIVE_SIGMA, atol=0, what=f"the variance of scaled scores for d_k={d_k}")


@pytest.mark.values
@pytest.mark.needs(RAW)
@pytest.mark.enforces("Each pair has a query and a key of its own.")
def test_every_pair_is_new(student):
    """Over many pairs nothing depends on one query or one key: ten calls of score_variance agree."""
    found = variances(student, 5, False, seed=5, times=10)
    off = (found / found.mean() - 1).abs().max().item()
    check(off < FIVE_SIGMA, "calls of score_variance with 10,000 samples differ by far more than chance")


@pytest.mark.values
@pytest.mark.needs(RAW)
def test_the_number_of_samples_is_used(student):
    """With 20 samples the variance is a rough estimate: thirty calls of score_variance scatter widely."""
    found = variances(student, 5, False, seed=6, times=30, samples=20)
    scatter = (found.std() / found.mean().abs()).item()
    check(scatter > 0.1, "score_variance with 20 samples scatters as little as one with many")


@pytest.mark.values
@pytest.mark.needs(SCALED, SAMPLES)
@pytest.mark.enforces("divide the scores by the square root of d_k if `scaled` is True")
def test_many_samples_come_closer_to_one(student):
    """With the scale and 100,000 samples the variance is 1 within 3 percent."""
    found = observe(student.score_variance, 5, True, samples=100_000, seed=7).value
    what = "the variance of 100,000 scaled scores for d_k=5"
    assert_close(found, 1.0, rtol=FIVE_SIGMA_OF_MANY, atol=0, what=what)


@pytest.mark.values
@pytest.mark.needs(ONE_NORM)
@pytest.mark.parametrize("n", [2, 7])
def test_equal_scores(student, n):
    """Equal scores have the weights 1 / n each, and the norm that the formula gives for these."""
    scores = torch.full((n,), 1.5)
    assert_close(student.softmax_gradient_norm(scores), oracle.softmax_jacobian_norm(scores), what="the norm")


@pytest.mark.values
@pytest.mark.needs(EQUAL)
@pytest.mark.parametrize(("n", "scale"), [(5, 1.0), (7, 2.0), (2, 1.0)])
def test_norm_of_the_whole_jacobian(student, n, scale):
    """The norm is the root of the sum of squares of all n * n derivatives of the softmax."""
    scores = sample(n, seed=1, scale=scale)
    assert_close(student.softmax_gradient_norm(scores), oracle.softmax_jacobian_norm(scores), what="the norm")


@pytest.mark.values
@pytest.mark.needs(NORM)
def test_saturated_scores_let_nothing_through(student):
    """With one score far above the others next to nothing is left, and the result is finite."""
    for loud in (20.0, 5000.0):
        scores = torch.tensor([0.0, loud, 0.0, -loud])
        assert_close(student.softmax_gradient_norm(scores), 0.0, atol=1e-6, what="the norm")


@pytest.mark.values
@pytest.mark.needs(NORM)
def test_the_scores_are_left_alone(student):
    """softmax_gradient_norm leaves the scores that it is given as they are."""
    scores = sample(5, seed=3)
    assert_unmodified(observe(student.softmax_gradient_norm, scores, inputs=True), scores)


@pytest.mark.dtype
@pytest.mark.needs(NORM)
def test_the_norm_is_exact_in_float64(student):
    """softmax_gradient_norm of float64 scores has the digits of float64."""
    scores = sample(6, seed=4, dtype=torch.float64)
    expected = torch.tensor(oracle.softmax_jacobian_norm(scores), dtype=torch.float64)
    assert_close(student.softmax_gradient_norm(scores), expected, rtol=1e-10, atol=1e-10, what="the norm")
