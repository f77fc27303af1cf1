"""Exercise 3.2: the right arguments for a wrapper that the suite brings, for batches of several sizes."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_equal,
    assert_names,
    assert_shape,
    check,
    describe,
    observe,
    push,
    read,
    sample,
    with_weights,
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
        self.arguments = {"d_out": d_out, "num_heads": num_heads, "dropout": dropout}
        sizes = d_in, d_out, context_length, dropout, qkv_bias
        self.heads = nn.ModuleList(Head(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

def is_one(wrapper):
    return isinstance(wrapper, MultiHeadAttentionWrapper)
"""
BATCH, TOKENS, D_IN = 2, 6, 3  # of the book


def built(student, batch):
    """What the program returns for this batch, after a look whether it is of the class that was given."""
    space = student.define(WRAPPER)
    wrapper = student.two_dimensional_wrapper(space.MultiHeadAttentionWrapper, batch)
    check(space.is_one(wrapper), "what is returned is no instance of the class that was given")
    return wrapper


def with_two_heads(wrapper, batch):
    """Push weights and return them, after a look whether they are those of two heads of one feature."""
    names = [f"heads.{head}.W_{role}.weight" for head in range(2) for role in ("query", "key", "value")]
    assert_names(wrapper, names)
    weights = with_weights(wrapper)
    for name in names:
        assert_shape(weights[name], (1, batch.shape[-1]), what=name)
    return weights


@pytest.mark.shape
@pytest.mark.enforces("for the returned wrapper, wrapper(batch) is (batch, tokens, 2)")
def test_two_features(student):
    """For a batch as large as the book's, the wrapper returns two features for each token."""
    batch = sample(BATCH, TOKENS, D_IN)
    wrapper = built(student, batch)
    with_weights(wrapper)
    assert_shape(wrapper.eval()(batch), (BATCH, TOKENS, 2), what="wrapper(batch)")


@pytest.mark.values
@pytest.mark.needs("test_two_features")
def test_two_heads_of_one_feature(student):
    """The two features come from two heads: num_heads is 2, and nothing is cut off or averaged."""
    arguments = read(built(student, sample(BATCH, TOKENS, D_IN)), "arguments")
    assert_equal(arguments["num_heads"], 2, what="num_heads")
    check(arguments["d_out"] == 1, "the heads have more features than are returned")


@pytest.mark.values
@pytest.mark.needs("test_two_heads_of_one_feature")
@pytest.mark.parametrize("shape", [(2, 7, 10), (9, 4, 5), (1, 12, 2)])
def test_sizes_come_from_the_batch(student, shape):
    """The wrapper fits batches of other sizes: d_in and context_length follow from the batch."""
    batch = sample(*shape)
    wrapper = built(student, batch)
    weights = with_two_heads(wrapper, batch)
    assert_close(wrapper.eval()(batch), oracle.stacked_heads(weights, batch, 2), what="wrapper(batch)")


@pytest.mark.dropout
@pytest.mark.needs("test_two_heads_of_one_feature")
def test_nothing_is_dropped(student):
    """The dropout is 0.0: in train mode the wrapper computes the same."""
    batch = sample(BATCH, TOKENS, D_IN)
    wrapper = built(student, batch)
    weights = with_two_heads(wrapper, batch)
    context = observe(wrapper.train(), batch, seed=3).value
    assert_close(context, oracle.stacked_heads(weights, batch, 2), what="wrapper(batch) in train mode")
    check(read(wrapper, "arguments")["dropout"] == 0, "the dropout is not 0")


@pytest.mark.state
@pytest.mark.needs("test_two_heads_of_one_feature")
@pytest.mark.enforces("qkv_bias stays at its default")
def test_projections_without_bias(student):
    """qkv_bias stays at its default, so the parameters are six matrices."""
    has = tuple(sorted(describe(built(student, sample(BATCH, TOKENS, D_IN))).parameters))
    check(len(has) == 6, f"there should be 6 matrices; your wrapper has {len(has)} parameters", facts=has)


INPUTS_OF_THE_BOOK = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS_OF_THE_BOOK = {
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746]],
    "heads.0.W_key.weight": [[0.217727, -0.491934, 0.423223]],
    "heads.0.W_value.weight": [[-0.419641, -0.459018, -0.364820]],
    "heads.1.W_query.weight": [[0.261478, -0.213326, 0.216052]],
    "heads.1.W_key.weight": [[-0.490014, -0.350292, -0.211989]],
    "heads.1.W_value.weight": [[-0.113461, -0.440439, 0.378044]],
}
CONTEXT_OF_THE_BOOK = [
    [-0.5740, 0.2216],
    [-0.7320, 0.0155],
    [-0.7774, -0.0546],
    [-0.6979, -0.0817],
    [-0.6538, -0.0957],
    [-0.6424, -0.1065],
]


@pytest.mark.book
@pytest.mark.needs("test_two_heads_of_one_feature")
def test_context_with_the_weights_of_the_book(student):
    """With the weights that the book's seed 123 gives, the book's tokens get the right contexts."""
    batch = torch.tensor([INPUTS_OF_THE_BOOK, INPUTS_OF_THE_BOOK])
    wrapper = built(student, batch)
    push(wrapper, {name: torch.tensor(weight) for name, weight in WEIGHTS_OF_THE_BOOK.items()})
    expected = torch.tensor([CONTEXT_OF_THE_BOOK, CONTEXT_OF_THE_BOOK])
    assert_close(wrapper.eval()(batch), expected, atol=2e-4, what="wrapper(batch)")
