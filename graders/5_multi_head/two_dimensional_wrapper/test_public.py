"""Exercise 3.2 on the book's sizes: a batch of two sequences of six tokens of three features."""

import pytest
import torch

from softmarks.testing import (
    assert_close,
    assert_equal,
    assert_names,
    assert_shape,
    check,
    describe,
    push,
    read,
)

WRAPPER = """
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        mask = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)
        self.register_buffer("mask", mask)

    def forward(self, x):
        tokens = x.shape[1]
        if tokens > len(self.mask):
            raise ValueError(f"{tokens} tokens, but context_length is {len(self.mask)}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
        return self.dropout(torch.softmax(scores, dim=-1)) @ values

class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.arguments = {"d_in": d_in, "d_out": d_out, "num_heads": num_heads}
        sizes = d_in, d_out, context_length, dropout, qkv_bias
        self.heads = nn.ModuleList(Head(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

def is_one(wrapper):
    return isinstance(wrapper, MultiHeadAttentionWrapper)
"""
INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
BATCH = torch.tensor([INPUTS, INPUTS])
WEIGHTS = {
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746]],
    "heads.0.W_key.weight": [[0.217727, -0.491934, 0.423223]],
    "heads.0.W_value.weight": [[-0.419641, -0.459018, -0.364820]],
    "heads.1.W_query.weight": [[0.261478, -0.213326, 0.216052]],
    "heads.1.W_key.weight": [[-0.490014, -0.350292, -0.211989]],
    "heads.1.W_value.weight": [[-0.113461, -0.440439, 0.378044]],
}
CONTEXT = [
    [-0.5740, 0.2216],
    [-0.7320, 0.0155],
    [-0.7774, -0.0546],
    [-0.6979, -0.0817],
    [-0.6538, -0.0957],
    [-0.6424, -0.1065],
]


@pytest.fixture
def wrapper(student):
    """What the program builds for the book's batch."""
    space = student.define(WRAPPER)
    made = student.two_dimensional_wrapper(space.MultiHeadAttentionWrapper, BATCH)
    check(space.is_one(made), "what is returned is no instance of the class that was given")
    return made


@pytest.mark.shape
def test_two_features(wrapper):
    """The wrapper takes the book's batch, (2, 6, 3), and returns (2, 6, 2)."""
    assert_shape(wrapper.eval()(BATCH), (2, 6, 2), what="wrapper(batch)")


@pytest.mark.values
def test_two_heads(wrapper):
    """The wrapper has two heads."""
    assert_equal(read(wrapper, "arguments")["num_heads"], 2, what="num_heads")


@pytest.mark.values
def test_context_with_the_weights_of_the_book(wrapper):
    """With the weights that the book's seed gives, token 0 gets its two values, -0.5740 and 0.2216."""
    assert_names(wrapper, tuple(WEIGHTS))
    push(wrapper, {name: torch.tensor(weight) for name, weight in WEIGHTS.items()})
    expected = torch.tensor([CONTEXT, CONTEXT])
    assert_close(wrapper.eval()(BATCH), expected, atol=2e-4, what="wrapper(batch)")


@pytest.mark.state
def test_eighteen_parameters(wrapper):
    """Two heads with three projections of three numbers make 18 parameters, none of them a bias."""
    shapes = [facts.shape for facts in describe(wrapper).parameters.values()]
    count = sum(torch.Size(shape).numel() for shape in shapes)
    check(count == 18, f"the wrapper should have 18 numbers to learn; yours has {count}", facts=(count,))
