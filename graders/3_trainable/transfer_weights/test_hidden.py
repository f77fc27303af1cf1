"""Exercise 3.1: v1 computes with the weights of v2, stays trainable, and v2 is left alone."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_equal,
    assert_gradients_reach,
    assert_shape,
    check,
    describe,
    observe,
    push,
    read,
    sample,
)

NAMES = ("W_query", "W_key", "W_value")
D_IN, D_OUT = 10, 12

TWINS = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

NAMES = ("W_query", "W_key", "W_value")

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out, order=NAMES):
        super().__init__()
        for name in order:
            setattr(self, name, nn.Parameter(torch.zeros(d_in, d_out)))

    def forward(self, x):
        return scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        return scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

def stored(v2):
    return [getattr(v2, name).weight for name in NAMES]

def nature(matrix):
    if not isinstance(matrix, torch.Tensor):
        return "no tensor"
    if not isinstance(matrix, nn.Parameter):
        return "computed from other tensors" if matrix.requires_grad else "a plain tensor"
    return "a Parameter" if matrix.requires_grad else "a Parameter that asks for no gradient"

def natures(module):
    return [nature(getattr(module, name)) for name in NAMES]

def training_step(module, x):
    module.zero_grad()
    module(x).square().sum().backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter -= 0.1 * parameter.grad
"""


def matrices(d_in, d_out, draw=0, dtype=torch.float32):
    """Three matrices in the layout of v1, (d_in, d_out), loud enough for a saturated softmax."""
    return {
        name: sample(d_in, d_out, seed=10 * draw + k, dtype=dtype) * (2 / d_in**0.5)
        for k, name in enumerate(NAMES)
    }


def linear(weights):
    """The same matrices as the state of v2 holds them, (d_out, d_in)."""
    return {f"{name}.weight": matrix.T.contiguous() for name, matrix in weights.items()}


def transferred(student, weights, order=NAMES):
    """A v2 that holds ``weights``, and a v1 after the transfer; v1 held other numbers before."""
    classes = student.define(TWINS)
    d_in, d_out = weights["W_query"].shape
    v2, v1 = classes.SelfAttention_v2(d_in, d_out), classes.SelfAttention_v1(d_in, d_out, order)
    dtype = weights["W_query"].dtype
    if dtype is not torch.float32:
        v2, v1 = v2.to(dtype), v1.to(dtype)
    push(v1, matrices(d_in, d_out, draw=9, dtype=dtype))
    push(v2, linear(weights))
    student.transfer_weights(v2, v1)
    return v2, v1


@pytest.mark.shape
@pytest.mark.enforces("v1.W_query, v1.W_key, v1.W_value -> nn.Parameter, each (d_in, d_out)")
def test_each_matrix_comes_from_v2_in_the_shape_of_v1(student):
    """Each matrix of v1 is (d_in, d_out) and follows v2: other weights in v2, other weights in v1."""
    arrived = []
    for draw in (1, 2):
        v2, v1 = transferred(student, matrices(D_IN, D_OUT, draw))
        matrix = read(v1, "W_query")
        assert_shape(matrix, (D_IN, D_OUT), what="v1.W_query")
        arrived.append(matrix.double())
    moved = (arrived[0] - arrived[1]).abs().max().item() > 1e-3
    student.define(TWINS).stored(v2)  # heard, not judged: it tells a transfer the wrong way round from none
    check(moved, "v1.W_query is the same whatever weights v2 has", facts=("same",))


@pytest.mark.values
@pytest.mark.enforces("Turn each one into the layout of v1.")
@pytest.mark.parametrize(("d_in", "d_out"), [(6, 6), (D_IN, D_OUT)])
def test_the_query_matrix_arrives(student, d_in, d_out):
    """v1.W_query holds the query matrix of v2 in the layout of v1, for square matrices too."""
    weights = matrices(d_in, d_out)
    _, v1 = transferred(student, weights)
    assert_close(read(v1, "W_query"), weights["W_query"], dims=("input", "output"), what="v1.W_query")


@pytest.mark.values
@pytest.mark.enforces("Turn each one into the layout of v1.")
@pytest.mark.parametrize(("d_in", "d_out"), [(6, 6), (D_IN, D_OUT)])
def test_the_key_matrix_arrives(student, d_in, d_out):
    """v1.W_key holds the key matrix of v2 in the layout of v1, for square matrices too."""
    weights = matrices(d_in, d_out)
    _, v1 = transferred(student, weights)
    assert_close(read(v1, "W_key"), weights["W_key"], dims=("input", "output"), what="v1.W_key")


@pytest.mark.values
@pytest.mark.enforces("Turn each one into the layout of v1.")
@pytest.mark.parametrize(("d_in", "d_out"), [(6, 6), (D_IN, D_OUT)])
def test_the_value_matrix_arrives(student, d_in, d_out):
    """v1.W_value holds the value matrix of v2 in the layout of v1, for square matrices too."""
    weights = matrices(d_in, d_out)
    _, v1 = transferred(student, weights)
    assert_close(read(v1, "W_value"), weights["W_value"], dims=("input", "output"), what="v1.W_value")


@pytest.mark.values
@pytest.mark.enforces("Give v1 the weights of v2, in place, so that both compute the same function.")
@pytest.mark.parametrize(("d_in", "d_out", "tokens"), [(6, 6, 7), (D_IN, D_OUT, 7), (12, 10, 5)])
def test_v1_computes_the_function_of_v2(student, d_in, d_out, tokens):
    """After the transfer v1(x) gives the context vectors that v2 gave before it."""
    weights, x = matrices(d_in, d_out), sample(2, tokens, d_in)
    _, v1 = transferred(student, weights)
    assert_close(v1(x), oracle.plain_attention(weights, x), what="v1(x)")


@pytest.mark.values
@pytest.mark.needs(
    "test_the_query_matrix_arrives", "test_the_key_matrix_arrives", "test_the_value_matrix_arrives"
)
def test_matrices_are_matched_by_name(student):
    """Nothing changes when v1 made its matrices in another order than v2."""
    weights, x = matrices(D_IN, D_OUT), sample(2, 7, D_IN)
    _, v1 = transferred(student, weights, order=("W_value", "W_query", "W_key"))
    assert_close(v1(x), oracle.plain_attention(weights, x), what="v1(x)")


@pytest.mark.gradient
@pytest.mark.needs("test_v1_computes_the_function_of_v2")
@pytest.mark.enforces("The three stay Parameters of v1 that can be trained")
def test_the_matrices_stay_parameters(student):
    """W_query, W_key and W_value are still Parameters of v1 that ask for gradients."""
    _, v1 = transferred(student, matrices(D_IN, D_OUT))
    natures = dict(zip(NAMES, student.define(TWINS).natures(v1), strict=True))
    wrong = [f"{name} is {nature}" for name, nature in natures.items() if nature != "a Parameter"]
    check(not wrong, f"in v1 {', '.join(wrong)}", facts=tuple(wrong))


@pytest.mark.gradient
@pytest.mark.needs("test_v1_computes_the_function_of_v2")
@pytest.mark.enforces("so that v1 can still be trained afterwards")
def test_v1_can_be_trained_afterwards(student):
    """Gradients reach the three matrices of v1, and a training step moves them."""
    x = sample(2, 7, D_IN)
    _, v1 = transferred(student, matrices(D_IN, D_OUT))
    assert_gradients_reach(observe(v1, x, upstream=sample(2, 7, D_OUT, seed=1)), *NAMES)
    before = read(v1, "W_value")
    student.define(TWINS).training_step(v1, x)
    moved = (read(v1, "W_value") - before).abs().max().item() > 0
    check(moved, "a training step left v1.W_value where it was", facts=("moved", moved))


@pytest.mark.dtype
@pytest.mark.needs("test_v1_computes_the_function_of_v2")
def test_float64_weights_stay_exact(student):
    """Modules in float64 keep float64 weights, every digit of them."""
    weights = matrices(D_IN, D_OUT, dtype=torch.float64)
    _, v1 = transferred(student, weights)
    for name in NAMES:
        matrix = read(v1, name)
        assert_dtype(matrix, torch.float64, what=f"v1.{name}")
        assert_close(matrix, weights[name], rtol=0, atol=1e-12, dims=("input", "output"), what=f"v1.{name}")


@pytest.mark.state
@pytest.mark.needs("test_the_value_matrix_arrives")
def test_v2_is_left_alone(student):
    """The transfer changes nothing in v2: same numbers, same shapes, still trainable."""
    weights = matrices(D_IN, D_OUT)
    v2, _ = transferred(student, weights)
    after = student.define(TWINS).stored(v2)
    for matrix, (name, before) in zip(after, linear(weights).items(), strict=True):
        assert_equal(matrix, before, dims=("output", "input"), what=f"v2.{name}")
    frozen = tuple(name for name, facts in describe(v2).parameters.items() if not facts.requires_grad)
    check(not frozen, f"in v2 {', '.join(frozen)} no longer ask for gradients", facts=frozen)


@pytest.mark.book
def test_matches_the_book(student):
    """With the book's inputs and its weights of seed 789, v1 prints the book's context vectors of v2."""
    inputs = torch.tensor(
        [
            [0.43, 0.15, 0.89],  # Your
            [0.55, 0.87, 0.66],  # journey
            [0.57, 0.85, 0.64],  # starts
            [0.22, 0.58, 0.33],  # with
            [0.77, 0.25, 0.10],  # one
            [0.05, 0.80, 0.55],  # step
        ]
    )
    query = [[0.316059083, 0.456808567, 0.51183486], [-0.1682854, -0.337877035, -0.0917738676]]
    key = [[0.405805826, -0.470420539, 0.236805201], [0.213360742, -0.260050654, -0.510542989]]
    value = [[0.252569884, -0.14147827, -0.196181342], [0.519107401, -0.0851675794, -0.204327047]]
    printed = torch.tensor(
        [
            [-0.0739, 0.0713],
            [-0.0748, 0.0703],
            [-0.0749, 0.0702],
            [-0.0760, 0.0685],
            [-0.0763, 0.0679],
            [-0.0754, 0.0693],
        ]
    )
    weights = {name: torch.tensor(rows).T for name, rows in zip(NAMES, (query, key, value), strict=True)}
    _, v1 = transferred(student, weights)
    assert_close(v1(inputs[None]), printed[None], rtol=0, what="v1(inputs)")
