"""A stack of two heads becomes a module with split weights, in numbers to check by eye."""

import pytest
import torch

from softmarks.testing import assert_close, assert_equal, check, describe, push, read

CLASSES = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

NAMES = ("W_query", "W_key", "W_value")

class Head(nn.Module):
    def __init__(self, d_in, head_dim):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Linear(d_in, head_dim, bias=False))

    def forward(self, x):
        q, k, v = (getattr(self, name)(x) for name in NAMES)
        return scaled_dot_product_attention(q, k, v, is_causal=True)

class Wrapper(nn.Module):
    def __init__(self, d_in, head_dim, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, head_dim) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

class Split(nn.Module):
    def __init__(self, d_in, d_out, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in NAMES:
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        shape = (self.num_heads, -1)
        q, k, v = (getattr(self, name)(x).unflatten(-1, shape).transpose(1, 2) for name in NAMES)
        contexts = scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(contexts.transpose(1, 2).flatten(2))

def weight_of(module, name):
    return getattr(module, name).weight

def bias_of(module, name):
    return getattr(module, name).bias
"""

HEADS = (
    {
        "W_query": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        "W_key": [[0.5, 0.0, 1.0], [-1.0, 2.0, 0.0]],
        "W_value": [[2.0, -1.0, 0.0], [0.0, 3.0, 1.0]],
    },
    {
        "W_query": [[-1.0, 0.5, 0.0], [0.0, 1.0, -2.0]],
        "W_key": [[1.0, 1.0, 0.0], [0.0, 0.5, 2.0]],
        "W_value": [[0.0, 0.0, 1.0], [5.0, -2.0, 0.5]],
    },
)


@pytest.fixture
def pair(student):
    """A wrapper with known weights and a module with split weights, 3 inputs, 2 heads of 2 features."""
    given = student.define(CLASSES)
    wrapper, attention = given.Wrapper(3, 2, 2), given.Split(3, 4, 2)
    for number, head in enumerate(HEADS):
        push(wrapper, {f"heads.{number}.{name}.weight": torch.tensor(rows) for name, rows in head.items()})
    return given, wrapper, attention


@pytest.mark.shape
def test_queries_of_both_heads_are_stacked(student, pair):
    """The two rows of head 0 come first in W_query, then the two of head 1."""
    given, wrapper, attention = pair
    student.stack_to_split(wrapper, attention)
    expected = torch.tensor(HEADS[0]["W_query"] + HEADS[1]["W_query"])
    weight = given.weight_of(attention, "W_query")
    assert_equal(weight, expected, dims=("output", "input"), what="attention.W_query.weight")


@pytest.mark.values
def test_out_proj_hands_on(student, pair):
    """out_proj has the identity for its weight, and zeros for its bias."""
    given, wrapper, attention = pair
    student.stack_to_split(wrapper, attention)
    weight, bias = given.weight_of(attention, "out_proj"), given.bias_of(attention, "out_proj")
    assert_equal(weight, torch.eye(4), dims=("output", "input"), what="attention.out_proj.weight")
    assert_equal(bias, torch.zeros(4), dims=("output",), what="attention.out_proj.bias")


@pytest.mark.values
def test_both_compute_the_same(student, pair):
    """attention(x) is what the wrapper gave before, and the wrapper still gives it."""
    _, wrapper, attention = pair
    x = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, -0.5, 0.2]]])
    before = wrapper(x)
    student.stack_to_split(wrapper, attention)
    assert_close(wrapper(x), before, what="wrapper(x) afterwards")
    assert_close(attention(x), before, what="attention(x)")


@pytest.mark.gradient
def test_all_can_be_trained(student, pair):
    """attention still has its five parameters, and all of them ask for gradients."""
    _, wrapper, attention = pair
    student.stack_to_split(wrapper, attention)
    parameters = describe(attention).parameters
    names = tuple(sorted(name for name, facts in parameters.items() if facts.requires_grad))
    says = f"the parameters of attention that can be trained are now {', '.join(names) or 'none'}"
    layers = ("W_key", "W_query", "W_value", "out_proj")
    wanted = tuple(sorted([*(f"{layer}.weight" for layer in layers), "out_proj.bias"]))
    check(names == wanted, says, facts=names)
    assert_equal(read(attention, "training"), True, what="attention.training")
