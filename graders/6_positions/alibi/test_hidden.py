"""The graded suite of ALiBi: the slopes of the heads, and the biases that are made of them.

The values of a bias are compared with the slopes that the student's own alibi_slopes returns, too: who has
the wrong slopes and uses them rightly loses the points of the slopes alone.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import assert_close, assert_dtype, assert_equal, assert_shape, check, must_raise

HEADS, TOKENS = 4, 7
BIAS = "test_bias_is_minus_slope_times_distance"


def slopes_of(student, n_heads):
    """The slopes of so many heads, one a head."""
    slopes = student.alibi_slopes(n_heads)
    assert_shape(slopes, (n_heads,), what=f"alibi_slopes({n_heads})")
    return slopes


def bias_of(student, n_heads, tokens):
    """The bias of so many heads and tokens, a table for each head."""
    bias = student.alibi_bias(n_heads, tokens)
    assert_shape(bias, (n_heads, tokens, tokens), what=f"alibi_bias({n_heads}, {tokens})")
    return bias


@pytest.mark.shape
@pytest.mark.enforces("n_heads -> tensor (n_heads,) of float32")
@pytest.mark.parametrize("n_heads", [HEADS, 8, 1])
def test_one_slope_a_head(student, n_heads):
    """alibi_slopes returns a tensor with one number for each head."""
    slopes_of(student, n_heads)


@pytest.mark.shape
@pytest.mark.enforces("n_heads, num_tokens -> tensor (n_heads, num_tokens, num_tokens) of float32")
@pytest.mark.parametrize(("n_heads", "tokens"), [(HEADS, TOKENS), (8, 1), (1, 5)])
def test_one_table_a_head(student, n_heads, tokens):
    """alibi_bias returns a row for each query and a column for each key, in a table for each head."""
    bias_of(student, n_heads, tokens)


@pytest.mark.values
@pytest.mark.needs("test_one_slope_a_head")
@pytest.mark.enforces("each next one is the one before it times the same number")
def test_slopes_fall_by_one_factor(student):
    """All slopes are positive, and each is the one before it times the same number, less than 1."""
    slopes = slopes_of(student, HEADS).double()
    check(bool((slopes > 0).all()), "a slope is not positive", facts=tuple((slopes > 0).tolist()))
    factors = slopes[1:] / slopes[:-1]
    check(bool((factors < 0.999).all()), "the slopes do not fall from head to head")
    says = "the slopes do not fall by the same factor from head to head"
    check(bool((factors - factors[0]).abs().max() < 1e-4), says)


@pytest.mark.values
@pytest.mark.needs("test_one_slope_a_head")
@pytest.mark.enforces("head h, counted from 1, has 2^(-8 h / n_heads)")
@pytest.mark.parametrize("n_heads", [HEADS, 8, 16, 512, 2, 1])
def test_slopes_of_many_heads(student, n_heads):
    """Of n heads the first has the slope 2^(-8/n), and the last has 2^(-8)."""
    slopes, expected = student.alibi_slopes(n_heads), torch.tensor(oracle.alibi_slopes(n_heads))
    assert_close(slopes, expected, rtol=1e-3, atol=1e-6, dims=("head",), what=f"alibi_slopes({n_heads})")


@pytest.mark.values
@pytest.mark.needs("test_one_table_a_head")
@pytest.mark.enforces("the further back a key lies, the more")
def test_the_past_costs_more_the_further_back_it_lies(student):
    """In each row the token itself costs nothing, and each step back lowers the bias by the same amount."""
    bias = bias_of(student, HEADS, TOKENS).double()
    itself = bias.diagonal(dim1=-2, dim2=-1)
    assert_close(itself, torch.zeros(HEADS, TOKENS), dims=("head", "query"), what="a token's bias for itself")
    steps = (bias[..., 1:] - bias[..., :-1])[..., 1:, :]  # from each key to the next, for queries from 1 on
    past = torch.ones(TOKENS - 1, TOKENS - 1, dtype=torch.bool).tril()
    seen = steps[:, past]  # (heads, steps)
    check(bool((seen > 1e-6).all()), "a key further back does not have the lower bias")
    even = bool((seen.amax(dim=1) - seen.amin(dim=1) < 1e-4).all())
    check(even, "within one head not every step back costs the same")


@pytest.mark.mask
@pytest.mark.needs("test_the_past_costs_more_the_further_back_it_lies")
@pytest.mark.enforces("0 for later keys: the causal mask is separate")
def test_later_keys_are_left_to_the_mask(student):
    """Above the diagonal the bias is 0: neither a penalty, nor a reward, nor minus infinity."""
    later = torch.ones(TOKENS, TOKENS).triu(1) > 0
    bias = bias_of(student, HEADS, TOKENS)[:, later]
    assert_equal(bias, torch.zeros_like(bias), dims=("head", "pair"), what="the bias of later keys")


@pytest.mark.values
@pytest.mark.needs("test_the_past_costs_more_the_further_back_it_lies")
@pytest.mark.enforces("for k <= q minus the slope of the head times that distance")
@pytest.mark.parametrize(("n_heads", "tokens"), [(HEADS, TOKENS), (8, 40), (1, 5)])
def test_bias_is_minus_slope_times_distance(student, n_heads, tokens):
    """For k <= q the bias of a head is minus its slope times q - k."""
    past = torch.ones(tokens, tokens).tril() > 0
    bias = bias_of(student, n_heads, tokens)
    expected = oracle.alibi_bias(oracle.alibi_slopes(n_heads), tokens)
    if torch.allclose(bias[:, past].double(), expected[:, past], rtol=1e-3, atol=1e-5):
        return
    own = oracle.alibi_bias(slopes_of(student, n_heads).double().tolist(), tokens)
    what, dims = f"alibi_bias({n_heads}, {tokens}) for keys up to the query", ("head", "pair")
    assert_close(bias[:, past], own[:, past], rtol=1e-3, atol=1e-5, dims=dims, what=what)


@pytest.mark.values
@pytest.mark.needs("test_the_past_costs_more_the_further_back_it_lies")
@pytest.mark.enforces("how many tokens each key lies before each query: q - k")
def test_a_shorter_text_has_a_part_of_the_table(student):
    """The bias of two tokens depends on their distance alone, however many tokens there are."""
    long, short = bias_of(student, HEADS, 9), bias_of(student, HEADS, 4)
    past = torch.ones(4, 4).tril() > 0
    corner, end = long[:, :4, :4][:, past], long[:, 5:, 5:][:, past]
    assert_close(short[:, past], corner, dims=("head", "pair"), what="the bias of four tokens")
    assert_close(end, corner, dims=("head", "pair"), what="the bias of the last four of nine tokens")


@pytest.mark.dtype
@pytest.mark.needs("test_slopes_fall_by_one_factor", BIAS)
@pytest.mark.enforces("tensor (n_heads, num_tokens, num_tokens) of float32")
def test_results_are_float32(student):
    """Slopes and biases are float32, which scores are too."""
    assert_dtype(student.alibi_slopes(HEADS), torch.float32, what="the slopes")
    assert_dtype(student.alibi_bias(HEADS, TOKENS), torch.float32, what="the bias")


@pytest.mark.errors
@pytest.mark.needs("test_slopes_fall_by_one_factor")
@pytest.mark.enforces("an n_heads that is no power of two (1, 2, 4, 8, …) raises ValueError")
@pytest.mark.parametrize("n_heads", [6, 3, 12, 0])
def test_other_numbers_of_heads_are_refused(student, n_heads):
    """A number of heads that is no power of two raises an error."""
    must_raise(student.alibi_slopes, n_heads, what=f"alibi_slopes({n_heads})")


@pytest.mark.errors
@pytest.mark.needs(BIAS, "test_other_numbers_of_heads_are_refused")
@pytest.mark.enforces("Errors: those of alibi_slopes")
def test_the_bias_refuses_them_too(student):
    """alibi_bias refuses what alibi_slopes refuses."""
    must_raise(student.alibi_bias, 6, TOKENS, what=f"alibi_bias(6, {TOKENS})")
