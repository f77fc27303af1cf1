"""Exercise 3.3: the sizes of the smallest GPT-2, and counts that can be done by hand."""

import pytest

from softmarks.testing import assert_equal, read

CLASSES = """
import torch
from torch import nn

class Noted:
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        self.widths = (d_in, d_out)
        self.heads = num_heads
        self.dropout_and_bias = (float(dropout), bool(qkv_bias))

class Sized(nn.Module):  # on the meta device: layers that have sizes, and no numbers
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, f"{num_heads} heads cannot share {d_out} features"
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias, device="meta"))
        self.out_proj = nn.Linear(d_out, d_out, device="meta")
        mask = torch.ones(context_length, context_length, dtype=torch.bool, device="meta")
        self.register_buffer("mask", mask.triu(1))

def linear(d_in, d_out, bias=True):
    return nn.Linear(d_in, d_out, bias=bias)

def nested():
    return nn.Sequential(nn.Linear(3, 2), nn.ModuleList([nn.Linear(2, 5, bias=False), nn.LayerNorm(5)]))
"""


@pytest.mark.values
def test_sizes_of_gpt2_small(student):
    """768 features in and out, 12 heads, no dropout, no bias for queries, keys and values."""
    layer = student.gpt2_small_attention(student.define(CLASSES).Noted)
    assert_equal(read(layer, "widths"), (768, 768), what="(d_in, d_out)")
    assert_equal(read(layer, "heads"), 12, what="num_heads")
    assert_equal(read(layer, "dropout_and_bias"), (0.0, False), what="(dropout, qkv_bias)")


@pytest.mark.values
def test_small_modules_are_counted(student):
    """A layer of 3 inputs and 2 outputs has 8 parameters, without bias 6; with two more layers 28."""
    given = student.define(CLASSES)
    assert_equal(student.count_parameters(given.linear(3, 2)), 8, what="the count for nn.Linear(3, 2)")
    assert_equal(student.count_parameters(given.linear(3, 2, False)), 6, what="the count without bias")
    assert_equal(student.count_parameters(given.nested()), 28, what="the count for layers within layers")


@pytest.mark.values
def test_gpt2_layer_is_counted(student):
    """A layer of the size of GPT-2 small has 2,360,064 parameters."""
    layer = student.gpt2_small_attention(student.define(CLASSES).Sized)
    assert_equal(student.count_parameters(layer), 2_360_064, what="the count for the whole layer")
