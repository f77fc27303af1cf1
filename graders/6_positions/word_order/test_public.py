"""Small modules whose numbers can be worked out by hand: running sums, means, a token's neighbour."""

import pytest
import torch

from softmarks.testing import assert_close, check

MODULES = """
import torch

def running_sum(x):
    return x.cumsum(dim=1)

def tenfold(x):
    return 10 * x

def mean_of_tokens(x):
    return x.mean(dim=1)

def first_token(x):
    return x[:, 0]
"""

X = torch.tensor([[[1.0], [2.0], [4.0]], [[0.0], [0.0], [5.0]]])  # two sequences of three tokens
ORDER = torch.tensor([2, 0, 1])  # the last token comes to the front
NAMES = ["causal", "plain", "pooled", "positioned"]
WORDS = ("equivariant", "invariant", "neither")


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize(("name", "error"), [("running_sum", 5.0), ("tenfold", 0.0)])
def test_equivariance_errors_worked_out_by_hand(student, name, error):
    """Running sums of (1, 2, 4) and (0, 0, 5), the last token put first, are off by at most 5; 10 x by 0."""
    module = getattr(student.define(MODULES), name)
    assert_close(student.equivariance_error(module, X, ORDER), error, what="the equivariance error")


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize(
    ("name", "error"), [("running_sum", 5.0), ("mean_of_tokens", 0.0), ("first_token", 5.0)]
)
def test_invariance_errors_worked_out_by_hand(student, name, error):
    """Running sums and first tokens change by at most 5 when the last token is put first, means by 0."""
    module = getattr(student.define(MODULES), name)
    assert_close(student.invariance_error(module, X, ORDER), error, what="the invariance error")


@pytest.mark.values
@pytest.mark.needs
def test_one_sequence_of_the_statement(student):
    """For (1, 2, 4) and running sums the errors are 4 and 3."""
    module = student.define(MODULES).running_sum
    error = student.equivariance_error(module, X[:1], ORDER)
    assert_close(error, 4.0, what="the equivariance error")
    assert_close(student.invariance_error(module, X[:1], ORDER), 3.0, what="the invariance error")


@pytest.mark.shape
def test_predictions_have_the_asked_form(student):
    """A dict with four names, and one of three words for each. Whether they are right is not said."""
    said = student.predictions()
    check(isinstance(said, dict), f"predictions() gives {said!r}, not a dict")
    names = sorted(map(str, said))
    check(names == NAMES, f"the names are {names}", facts=tuple(names))
    other = tuple(str(word) for word in said.values() if word not in WORDS)
    check(not other, f"{', '.join(other)} is none of the three words", facts=other)
