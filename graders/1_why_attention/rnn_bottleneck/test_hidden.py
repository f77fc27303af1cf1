"""The graded suite of rnn_bottleneck: three counts, and the gradient that reaches each token."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_shape,
    check,
    describe,
    must_raise,
    observe,
    push,
    sample,
    with_weights,
)

BATCH, TOKENS, D_IN, HIDDEN = 2, 7, 10, 12
ITEMS = ("item", "token")

GIVEN = """
import torch
from torch import nn

def recurrent(d_in, hidden_size, nonlinearity="tanh"):
    return nn.RNN(d_in, hidden_size, nonlinearity=nonlinearity, batch_first=True)

def parameters_afterwards(function, rnn, x):
    for parameter in rnn.parameters():
        parameter.grad = torch.ones_like(parameter)
    function(rnn, x)
    gradients = [parameter.grad for parameter in rnn.parameters()]
    lost = sum(gradient is None for gradient in gradients)
    other = sum(gradient is not None and not bool((gradient == 1).all()) for gradient in gradients)
    return lost, other

def input_afterwards(function, rnn, x):
    function(rnn, x)
    return x.requires_grad, x.grad is not None
"""


def assert_number(value, expected, what):
    """A plain number of this value."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    says = f"{what} is not right: your code gives {value if plain else 'something that is no number'}"
    check(plain and value == expected, says, facts=(plain,))


def given(student, nonlinearity="tanh", dtype=None):
    """An RNN with pushed weights, and these weights."""
    rnn = student.define(GIVEN).recurrent(D_IN, HIDDEN, nonlinearity)
    if dtype is not None:
        rnn = rnn.to(dtype)
    return rnn, with_weights(rnn, scale=1.0)  # quiet: some gradient is left at every token


# before "attention" in the alphabet, between it and "rnn", and after that one
OTHERS = ["CNN", "convolution", "tree"]
PATH_RNN, PATH_ATTENTION = "test_path_of_an_rnn", "test_path_of_attention"


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize("tokens", [7, 2, 200])
def test_path_of_an_rnn(student, tokens):
    """An RNN goes from the first hidden state to the last one token by token."""
    assert_number(student.longest_path("rnn", tokens), tokens - 1, "the path in an RNN")


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize("tokens", [7, 2, 200])
def test_path_of_attention(student, tokens):
    """With attention every token is one step away, in sentences of any length."""
    assert_number(student.longest_path("attention", tokens), 1, "the path with attention")


@pytest.mark.values
@pytest.mark.needs(PATH_RNN, PATH_ATTENTION)
@pytest.mark.parametrize("mechanism", ["rnn", "attention"])
def test_path_of_one_token(student, mechanism):
    """With a single token there is no step to take."""
    assert_number(student.longest_path(mechanism, 1), 0, "the path with one token")


@pytest.mark.errors
@pytest.mark.needs(PATH_RNN, PATH_ATTENTION)
@pytest.mark.parametrize("mechanism", OTHERS)
def test_path_refuses_other_mechanisms(student, mechanism):
    """longest_path raises an error for a mechanism that it does not know."""
    must_raise(student.longest_path, mechanism, 7, what=f'the mechanism "{mechanism}"')


MEMORY_RNN, MEMORY_ATTENTION = "test_memory_of_an_rnn", "test_memory_of_attention"


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize("tokens", [7, 200])
def test_memory_of_an_rnn(student, tokens):
    """Without attention the decoder has one hidden state, whatever the length of the sentence."""
    assert_number(student.decoder_memory("rnn", tokens, HIDDEN), HIDDEN, "the memory without attention")


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize("tokens", [7, 200])
def test_memory_of_attention(student, tokens):
    """With attention the decoder has the hidden states of all tokens."""
    memory = student.decoder_memory("attention", tokens, HIDDEN)
    assert_number(memory, tokens * HIDDEN, "the memory with attention")


@pytest.mark.errors
@pytest.mark.needs(MEMORY_RNN, MEMORY_ATTENTION)
@pytest.mark.parametrize("mechanism", OTHERS)
def test_memory_refuses_other_mechanisms(student, mechanism):
    """decoder_memory raises an error for a mechanism that it does not know."""
    must_raise(student.decoder_memory, mechanism, 7, HIDDEN, what=f'the mechanism "{mechanism}"')


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize("tokens", [7, 1, 2048])
def test_scores_of_every_pair(student, tokens):
    """Every token has a score with every token."""
    assert_number(student.score_entries(tokens), tokens * tokens, "the number of scores")


SHAPE, VALUES = "test_one_norm_a_token", "test_norms_of_the_gradient"


@pytest.mark.shape
@pytest.mark.parametrize("tokens", [TOKENS, 1])
def test_one_norm_a_token(student, tokens):
    """input_gradient_norms returns a number for each token of each sentence."""
    rnn, _ = given(student)
    norms = student.input_gradient_norms(rnn, sample(BATCH, tokens, D_IN))
    assert_shape(norms, (BATCH, tokens), what="the norms")


@pytest.mark.values
@pytest.mark.needs(SHAPE)
@pytest.mark.parametrize(("nonlinearity", "batch", "tokens"), [("tanh", BATCH, TOKENS), ("relu", 3, 5)])
@pytest.mark.enforces("Differentiate the sum of all numbers of the last hidden state with respect to x")
def test_norms_of_the_gradient(student, nonlinearity, batch, tokens):
    """The norms are those of the gradient of the summed last hidden state, token by token."""
    rnn, weights = given(student, nonlinearity)
    x = sample(batch, tokens, D_IN)
    expected = oracle.input_gradient_norms(weights, x, nonlinearity)
    norms = student.input_gradient_norms(rnn, x)
    assert_close(norms, expected, rtol=1e-3, dims=ITEMS, what="the norms")


FACTORS = [0.8, 1.25]


@pytest.mark.values
@pytest.mark.needs(SHAPE)
@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.enforces("Gradients vanish **or explode**")
def test_gradients_vanish_or_explode(student, factor):
    """When each step multiplies the state by a factor, a token's norm has that factor once a step."""
    rnn = student.define(GIVEN).recurrent(2, 3, "relu")
    into = torch.tensor([[1.0, 0.5], [0.0, 2.0], [0.25, 1.0]])
    none, eye = torch.zeros(3), torch.eye(3)
    recurrence = {"weight_hh_l0": factor * eye, "bias_hh_l0": none, "bias_ih_l0": none}
    push(rnn, recurrence | {"weight_ih_l0": into})
    x = sample(BATCH, 20, 2).abs() + 0.1  # states stay positive, and relu passes them on
    norms = student.input_gradient_norms(rnn, x)
    steps = torch.arange(19, -1, -1)
    expected = (into.sum(dim=0).square().sum().sqrt() * factor**steps).repeat(BATCH, 1)
    assert_close(norms, expected, rtol=1e-3, dims=ITEMS, what="the norms")


@pytest.mark.state
@pytest.mark.needs(VALUES)
def test_gradients_of_parameters_are_kept(student):
    """The parameters have the same .grad after the call as before it."""
    helper, (rnn, _) = student.define(GIVEN), given(student)
    function, x = student.input_gradient_norms, sample(BATCH, TOKENS, D_IN)
    lost, other = helper.parameters_afterwards(function, rnn, x)
    check(lost == 0, "the parameters lose the .grad that they had before the call", facts=("lost",))
    check(other == 0, "the parameters have another .grad after the call than before it", facts=("other",))


@pytest.mark.state
@pytest.mark.needs(VALUES)
@pytest.mark.enforces("go on asking for gradients, and the module stays in its mode")
def test_module_can_still_be_trained(student):
    """The parameters still ask for gradients, and a module in train mode is in train mode."""
    rnn, _ = given(student)
    student.input_gradient_norms(rnn, sample(BATCH, TOKENS, D_IN))
    after = describe(rnn)
    frozen = not all(facts.requires_grad for facts in after.parameters.values())
    check(not frozen, "the parameters no longer ask for gradients after the call", facts=("frozen",))
    check(after.training, "the module is in eval mode after the call", facts=("mode",))


@pytest.mark.state
@pytest.mark.needs(VALUES)
def test_x_is_left_alone(student):
    """x neither asks for gradients nor has one after the call."""
    helper, (rnn, _) = student.define(GIVEN), given(student)
    function, x = student.input_gradient_norms, sample(BATCH, TOKENS, D_IN)
    asks, has = helper.input_afterwards(function, rnn, x)
    check(not asks, "x asks for gradients after the call", facts=("asks",))
    check(not has, "x has a gradient after the call", facts=("has",))


@pytest.mark.dtype
@pytest.mark.needs(VALUES)
def test_number_type_is_kept(student):
    """A module and an input in float64 give norms in float64."""
    rnn, weights = given(student, dtype=torch.float64)
    x = sample(BATCH, TOKENS, D_IN, dtype=torch.float64)
    norms = observe(student.input_gradient_norms, rnn, x).value
    assert_dtype(norms, torch.float64, what="the norms")
    assert_close(norms, oracle.input_gradient_norms(weights, x, "tanh"), dims=ITEMS, what="the norms")
