"""A module with split weights computes what a stack of heads does, and the stack is left alone."""

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
    sample,
)

NAMES = ("W_query", "W_key", "W_value")
D_IN, HEAD_DIM, HEADS = 10, 4, 3
D_OUT = HEAD_DIM * HEADS

CLASSES = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

NAMES = ("W_query", "W_key", "W_value")

class Head(nn.Module):
    def __init__(self, d_in, head_dim, bias):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Linear(d_in, head_dim, bias=bias))

    def forward(self, x):
        q, k, v = (getattr(self, name)(x) for name in NAMES)
        return scaled_dot_product_attention(q, k, v, is_causal=True)

class Wrapper(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, bias):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, head_dim, bias) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

class Split(nn.Module):
    def __init__(self, d_in, d_out, num_heads, bias, order=NAMES):
        super().__init__()
        self.num_heads, self.head_dim, self.d_out = num_heads, d_out // num_heads, d_out
        for name in order:
            setattr(self, name, nn.Linear(d_in, d_out, bias=bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("mask", torch.ones(8, 8, dtype=torch.bool).triu(1))

    def forward(self, x):
        shape = (self.num_heads, -1)
        q, k, v = (getattr(self, name)(x).unflatten(-1, shape).transpose(1, 2) for name in NAMES)
        contexts = scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(contexts.transpose(1, 2).flatten(2))

def weights_of(attention):
    return [getattr(attention, name).weight for name in NAMES]

def biases_of(attention):
    return [getattr(attention, name).bias for name in NAMES]

def out_proj_of(attention):
    return [attention.out_proj.weight, attention.out_proj.bias]

def numbers_of(wrapper):
    return [getattr(head, name).weight for head in wrapper.heads for name in NAMES]

def training_step(module, x):
    module.zero_grad()
    module(x).square().sum().backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter -= 0.1 * parameter.grad
"""


def of_heads(d_in, head_dim, heads, bias, draw=0, dtype=torch.float32):
    """Weights for each head, by their names in a head."""
    return [
        {
            f"{name}.{part}": sample(*size, seed=1000 * draw + 10 * head + place, dtype=dtype)
            * (2 / d_in**0.5)
            for place, name in enumerate(NAMES)
            for part, size in (("weight", (head_dim, d_in)), ("bias", (head_dim,)))
            if bias or part == "weight"
        }
        for head in range(heads)
    ]


def stacked(heads, key):
    """What should be in the module: the rows of all heads, one after another."""
    return torch.stack([row for head in heads for row in head[key]])


def outputs(heads, x):
    """What a stack of causal heads gives, side by side."""
    return torch.cat([oracle.causal_attention(head, x) for head in heads], dim=-1)


def moved(student, heads, order=NAMES):
    """Classes, a wrapper that holds the weights of ``heads``, and a module after the call."""
    given = student.define(CLASSES)
    (head_dim, d_in), bias = heads[0]["W_query.weight"].shape, "W_query.bias" in heads[0]
    dtype = heads[0]["W_query.weight"].dtype
    wrapper = given.Wrapper(d_in, head_dim, len(heads), bias)
    attention = given.Split(d_in, head_dim * len(heads), len(heads), bias, order)
    if dtype is not torch.float32:
        wrapper, attention = wrapper.to(dtype), attention.to(dtype)
    for number, head in enumerate(heads):
        push(wrapper, {f"heads.{number}.{name}": tensor for name, tensor in head.items()})
    for name, facts in describe(attention).parameters.items():
        push(attention, {name: sample(*facts.shape, seed=99, dtype=dtype)})
    student.stack_to_split(wrapper, attention)
    return given, wrapper, attention


USUAL = (D_IN, HEAD_DIM, HEADS, False)


@pytest.mark.shape
@pytest.mark.enforces("attention.W_query, attention.W_key, attention.W_value -> nn.Linear(d_in, d_out)")
def test_weights_come_from_the_heads(student):
    """W_query of the module is (d_out, d_in) and follows the heads: other weights there, other here."""
    arrived = []
    for draw in (1, 2):
        given, wrapper, attention = moved(student, of_heads(*USUAL, draw=draw))
        weight = given.weights_of(attention)[0]
        assert_shape(weight, (D_OUT, D_IN), what="attention.W_query.weight")
        arrived.append(weight.double())
    changed = (arrived[0] - arrived[1]).abs().max().item() > 1e-3
    given.numbers_of(wrapper)  # heard, not judged: it tells the wrong direction from none
    check(changed, "attention.W_query is the same whatever weights the heads have", facts=("same",))


def assert_stacked(student, place, size):
    """The weight of one of the three layers holds the rows of all heads in their order."""
    heads = of_heads(*size)
    given, _, attention = moved(student, heads)
    name = NAMES[place]
    found = given.weights_of(attention)[place]
    expected = stacked(heads, f"{name}.weight")
    assert_close(found, expected, dims=("output", "input"), what=f"attention.{name}.weight")


SQUARE = (12, 4, 3, False)  # as many inputs as outputs: a transposed weight would fit
SIZES = pytest.mark.parametrize("size", [USUAL, SQUARE], ids=["usual", "square"])


@pytest.mark.values
@pytest.mark.enforces("in the order of the heads")
@SIZES
def test_query_weights_are_stacked(student, size):
    """W_query holds the query weights of all heads, one under the other, in the order of the heads."""
    assert_stacked(student, 0, size)


@pytest.mark.values
@pytest.mark.enforces("For each of the three names, put the weights of all heads into that of attention")
@SIZES
def test_key_weights_are_stacked(student, size):
    """W_key holds the key weights of all heads, one under the other, in the order of the heads."""
    assert_stacked(student, 1, size)


@pytest.mark.values
@pytest.mark.enforces("For each of the three names, put the weights of all heads into that of attention")
@SIZES
def test_value_weights_are_stacked(student, size):
    """W_value holds the value weights of all heads, one under the other, in the order of the heads."""
    assert_stacked(student, 2, size)


@pytest.mark.values
def test_biases_are_stacked(student):
    """Where the layers have biases, those of all heads arrive too."""
    heads = of_heads(D_IN, HEAD_DIM, HEADS, True)
    given, _, attention = moved(student, heads)
    for name, bias in zip(NAMES, given.biases_of(attention), strict=True):
        expected = stacked([{"one": head[f"{name}.bias"][:, None]} for head in heads], "one")[:, 0]
        assert_close(bias, expected, dims=("output",), what=f"attention.{name}.bias")


@pytest.mark.values
@pytest.mark.enforces("Make out_proj hand on its input: the identity for its weight, zeros for its bias.")
def test_out_proj_hands_on_its_input(student):
    """out_proj has the identity for its weight and zeros for its bias."""
    given, _, attention = moved(student, of_heads(*USUAL))
    weight, bias = given.out_proj_of(attention)
    assert_equal(weight, torch.eye(D_OUT), dims=("output", "input"), what="attention.out_proj.weight")
    assert_equal(bias, torch.zeros(D_OUT), dims=("output",), what="attention.out_proj.bias")


@pytest.mark.values
@pytest.mark.enforces("so that both compute the same")
@pytest.mark.parametrize("size", [USUAL, (6, 5, 2, False), (D_IN, HEAD_DIM, 1, False)])
def test_both_compute_the_same(student, size):
    """attention(x) gives what the stack of heads gives: for three heads, for two, and for one."""
    heads, x = of_heads(*size), sample(2, 7, size[0])
    _, _, attention = moved(student, heads)
    assert_close(attention(x), outputs(heads, x), what="attention(x)")


@pytest.mark.values
@pytest.mark.needs("test_both_compute_the_same")
def test_layers_are_matched_by_name(student):
    """Nothing changes when the module made its layers in another order."""
    heads, x = of_heads(*USUAL), sample(2, 7, D_IN)
    _, _, attention = moved(student, heads, order=("W_value", "W_query", "W_key"))
    assert_close(attention(x), outputs(heads, x), what="attention(x)")


@pytest.mark.gradient
@pytest.mark.needs("test_both_compute_the_same")
@pytest.mark.enforces("All layers stay in attention as nn.Linear that can be trained")
def test_layers_stay_linear_and_trainable(student):
    """The four layers are still nn.Linear, and all their parameters ask for gradients."""
    _, _, attention = moved(student, of_heads(*USUAL))
    facts = describe(attention)
    kinds = tuple(facts.modules.get(name, "missing") for name in (*NAMES, "out_proj"))
    check(set(kinds) == {"Linear"}, f"the four layers of attention are now {', '.join(kinds)}", facts=kinds)
    wanted = {f"{name}.weight" for name in (*NAMES, "out_proj")} | {"out_proj.bias"}
    trained = {name for name, one in facts.parameters.items() if one.requires_grad}
    lost = tuple(sorted(wanted - trained))
    check(not lost, f"in attention, {', '.join(lost)} can no longer be trained", facts=lost)


@pytest.mark.gradient
@pytest.mark.needs("test_both_compute_the_same")
@pytest.mark.enforces("All layers stay in attention as nn.Linear that can be trained")
def test_module_can_be_trained_afterwards(student):
    """Gradients reach all parameters of the module; and a training step moves it."""
    heads, x = of_heads(*USUAL), sample(2, 7, D_IN)
    given, _, attention = moved(student, heads)
    names = (*(f"{name}.weight" for name in (*NAMES, "out_proj")), "out_proj.bias")
    assert_gradients_reach(observe(attention, x, upstream=sample(2, 7, D_OUT, seed=1)), *names)
    before = given.weights_of(attention)[2]
    given.training_step(attention, x)
    after = given.weights_of(attention)[2]
    check((after - before).abs().max().item() > 0, "a training step leaves attention.W_value where it was")


@pytest.mark.dtype
@pytest.mark.needs("test_both_compute_the_same")
def test_float64_weights_stay_exact(student):
    """Modules in float64 keep float64 weights, every digit of them."""
    heads = of_heads(*USUAL, dtype=torch.float64)
    given, _, attention = moved(student, heads)
    weights = [*given.weights_of(attention), *given.out_proj_of(attention)]
    for name, weight in zip((*NAMES, "out_proj", "out_proj"), weights, strict=True):
        assert_dtype(weight, torch.float64, what=f"a parameter of attention.{name}")
    for name, weight in zip(NAMES, weights, strict=False):
        expected = stacked(heads, f"{name}.weight")
        what = f"attention.{name}.weight"
        assert_close(weight, expected, rtol=0, atol=1e-12, dims=("output", "input"), what=what)


@pytest.mark.state
@pytest.mark.needs("test_value_weights_are_stacked")
def test_wrapper_is_left_alone(student):
    """Nothing changes in the wrapper: same numbers, still trainable."""
    heads = of_heads(*USUAL)
    given, wrapper, _ = moved(student, heads)
    places = [(number, name) for number in range(HEADS) for name in NAMES]
    for (number, name), weight in zip(places, given.numbers_of(wrapper), strict=True):
        what = f"wrapper.heads[{number}].{name}.weight"
        assert_equal(weight, heads[number][f"{name}.weight"], dims=("output", "input"), what=what)
    frozen = tuple(name for name, one in describe(wrapper).parameters.items() if not one.requires_grad)
    names = f"{', '.join(frozen[:3])}{' …' * (len(frozen) > 3)}"
    check(not frozen, f"parameters of the wrapper can no longer be trained: {names}", facts=frozen)


@pytest.mark.book
def test_matches_the_book(student):
    """With the weights of the book's two heads, the module gives what the book prints for the wrapper."""
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
    weights = (
        (
            [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
            [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
            [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
        ),
        (
            [[-0.136157, 0.185322, 0.408269], [0.107564, 0.157877, 0.557292]],
            [[-0.260390, 0.182876, -0.256872], [0.412603, 0.461105, -0.532301]],
            [[0.492853, 0.275693, 0.251590], [0.237681, 0.479951, -0.076233]],
        ),
    )
    printed = torch.tensor(
        [
            [-0.4519, 0.2216, 0.4772, 0.1063],
            [-0.5874, 0.0058, 0.5891, 0.3257],
            [-0.6300, -0.0632, 0.6202, 0.3860],
            [-0.5675, -0.0843, 0.5478, 0.3589],
            [-0.5526, -0.0981, 0.5321, 0.3428],
            [-0.5299, -0.1081, 0.5077, 0.3493],
        ]
    )
    heads = [
        {f"{name}.weight": torch.tensor(rows) for name, rows in zip(NAMES, head, strict=True)}
        for head in weights
    ]
    _, _, attention = moved(student, heads)
    assert_close(attention(inputs[None]), printed[None], rtol=0, atol=2e-4, what="attention(inputs)")
