"""The public checks of rnn_bottleneck: numbers to follow by hand, and an RNN of one number."""

import pytest
import torch

from softmarks.testing import assert_close, check, push

GIVEN = """
from torch import nn

def rnn(d_in, hidden_size, nonlinearity):
    return nn.RNN(d_in, hidden_size, nonlinearity=nonlinearity, bias=False, batch_first=True)
"""


def assert_number(value, expected, what):
    """A plain number of this value."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    says = f"{what} is not right: your code gives {value if plain else 'something that is no number'}"
    check(plain and value == expected, says, facts=(plain,))


@pytest.mark.values
@pytest.mark.parametrize(("mechanism", "tokens", "steps"), [("rnn", 100, 99), ("attention", 100, 1)])
def test_path(student, mechanism, tokens, steps):
    """From word 1 to word 100 an RNN takes 99 steps, attention takes 1."""
    assert_number(student.longest_path(mechanism, tokens), steps, f"the path of {mechanism}")


@pytest.mark.values
@pytest.mark.parametrize(("mechanism", "numbers"), [("rnn", 256), ("attention", 7680)])
def test_memory(student, mechanism, numbers):
    """Of 30 tokens with 256 numbers each, an RNN leaves 256 numbers, attention all 7680."""
    assert_number(student.decoder_memory(mechanism, 30, 256), numbers, f"the memory of {mechanism}")


@pytest.mark.values
def test_scores(student):
    """512 tokens make 262,144 scores."""
    assert_number(student.score_entries(512), 262_144, "the number of scores")


@pytest.mark.values
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_gradients_vanish_or_explode(student, factor):
    """An RNN of one number that multiplies by 0.5 at each step halves the gradient; by 2, it doubles it."""
    rnn = student.define(GIVEN).rnn(1, 1, "relu")
    push(rnn, {"weight_ih_l0": torch.ones(1, 1), "weight_hh_l0": torch.full((1, 1), factor)})
    norms = student.input_gradient_norms(rnn, torch.ones(2, 4, 1))
    expected = torch.tensor([[factor**3, factor**2, factor, 1.0]]).repeat(2, 1)
    assert_close(norms, expected, dims=("item", "token"), what="the norms")


@pytest.mark.values
def test_norms_are_roots_of_sums_of_squares(student):
    """A token with the gradients 3 and 4 has the norm 5."""
    rnn = student.define(GIVEN).rnn(2, 1, "relu")
    push(rnn, {"weight_ih_l0": torch.tensor([[3.0, 4.0]]), "weight_hh_l0": torch.ones(1, 1)})
    norms = student.input_gradient_norms(rnn, torch.ones(1, 3, 2))
    assert_close(norms, torch.full((1, 3), 5.0), dims=("item", "token"), what="the norms")
