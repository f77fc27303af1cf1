"""Exercise 3.3. The classes are the suite's own and light: they note their arguments, or live on meta."""

import pytest

from softmarks.testing import assert_equal, check, read

CLASSES = """
import torch
from torch import nn

class Noted:
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        self.widths = [int(d_in), int(d_out)]
        self.context_length, self.num_heads = int(context_length), int(num_heads)
        self.dropout, self.qkv_bias = float(dropout), bool(qkv_bias)

class Other(Noted):
    pass

class Sized(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias, device="meta"))
        self.out_proj = nn.Linear(d_out, d_out, device="meta")
        mask = torch.ones(context_length, context_length, dtype=torch.bool, device="meta")
        self.register_buffer("mask", mask.triu(1))

def plain():
    return nn.Sequential(nn.Linear(7, 5), nn.Linear(5, 3, bias=False))

def deep():
    inner = nn.Module()
    inner.scale = nn.Parameter(torch.tensor(1.0))  # a single number, of shape ()
    inner.layers = nn.ModuleList([nn.Linear(4, 6), nn.LayerNorm(6)])
    outer = nn.Module()
    outer.table = nn.Parameter(torch.zeros(2, 3, 4))
    outer.inner = inner
    return outer

def nothing():
    return nn.Sequential(nn.ReLU(), nn.Dropout(0.1))

def masked():
    module = nn.Linear(7, 5)
    module.register_buffer("mask", torch.ones(9, 9))
    return nn.Sequential(module, nn.BatchNorm1d(5))

def frozen():
    module = nn.Sequential(nn.Linear(7, 5), nn.Linear(5, 3))
    module[0].requires_grad_(False)
    return module

def shared():
    module = nn.Sequential(nn.Embedding(11, 4), nn.Linear(4, 11, bias=False), nn.Linear(11, 2))
    module[1].weight = module[0].weight
    return module
"""


def noted(student, name):
    """An argument that the student's function gave to the class that it was handed."""
    return read(student.gpt2_small_attention(student.define(CLASSES).Noted), name)


@pytest.mark.values
@pytest.mark.enforces("attention_class -> an instance of it")
def test_it_is_an_instance_of_the_class(student):
    """An instance of the class that was handed in is returned, whichever class that is."""
    given = student.define(CLASSES)
    for each in (given.Noted, given.Other):
        layer = student.gpt2_small_attention(each)
        widths = read(layer, "widths")
        check(isinstance(widths, list), "no instance of attention_class comes back", facts=("no instance",))


@pytest.mark.values
@pytest.mark.needs("test_it_is_an_instance_of_the_class")
@pytest.mark.enforces("every attention layer takes and returns vectors of 768 features")
def test_width_is_768(student):
    """Vectors of 768 features go in and come out."""
    assert_equal(noted(student, "widths"), [768, 768], what="[d_in, d_out]")


@pytest.mark.values
@pytest.mark.needs("test_it_is_an_instance_of_the_class")
def test_twelve_heads(student):
    """The layer has 12 heads."""
    assert_equal(noted(student, "num_heads"), 12, what="num_heads")


@pytest.mark.values
@pytest.mark.needs("test_it_is_an_instance_of_the_class")
def test_context_of_1024_tokens(student):
    """The layer sees up to 1,024 tokens."""
    assert_equal(noted(student, "context_length"), 1024, what="context_length")


@pytest.mark.values
@pytest.mark.needs("test_width_is_768", "test_twelve_heads", "test_context_of_1024_tokens")
def test_no_bias_and_no_dropout(student):
    """Queries, keys and values have no bias, and the dropout rate is 0.0."""
    assert_equal(noted(student, "qkv_bias"), False, what="qkv_bias")
    assert_equal(noted(student, "dropout"), 0.0, what="dropout")


def assert_count(student, name, expected, what):
    """The count for the module that the function ``name`` of the suite makes."""
    count = student.count_parameters(getattr(student.define(CLASSES), name)())
    assert_equal(count, expected, what=f"the count for {what}")


@pytest.mark.values
@pytest.mark.enforces("Every entry of every nn.Parameter counts, in the module and in all modules within it")
def test_every_entry_counts(student):
    """All entries of weights and biases count, in two layers and in modules within modules, as an int."""
    assert_count(student, "plain", 7 * 5 + 5 + 5 * 3, "two layers")
    assert_count(student, "deep", 24 + 1 + 4 * 6 + 6 + 6 + 6, "modules within modules")
    assert_count(student, "nothing", 0, "a module without parameters")


@pytest.mark.values
@pytest.mark.needs("test_every_entry_counts")
@pytest.mark.enforces("Buffers, such as a mask, do not count")
def test_buffers_do_not_count(student):
    """A mask and other buffers are not parameters."""
    assert_count(student, "masked", 7 * 5 + 5 + 5 + 5, "a module with buffers")


@pytest.mark.values
@pytest.mark.needs("test_every_entry_counts")
def test_frozen_parameters_count(student):
    """Parameters that ask for no gradient count too."""
    assert_count(student, "frozen", 7 * 5 + 5 + 5 * 3 + 3, "a module with a frozen layer")


@pytest.mark.values
@pytest.mark.needs("test_every_entry_counts")
def test_shared_parameters_count_once(student):
    """A parameter that two layers hold counts once."""
    assert_count(student, "shared", 11 * 4 + 11 * 2 + 2, "a module with a shared weight")


@pytest.mark.book
def test_layer_has_the_size_of_gpt2(student):
    """The layer of GPT-2 small, without biases for queries, keys and values, has 2,360,064 parameters."""
    layer = student.gpt2_small_attention(student.define(CLASSES).Sized)
    assert_equal(student.count_parameters(layer), 2_360_064, what="the count for the whole layer")
