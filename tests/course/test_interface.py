"""Names that differ from the stub's are told: near ones, and parameters in another order."""

import pytest

from softmarks.course.interface import interface, misnamed
from softmarks.errors import lookalikes

SOLUTION = '''
import torch


class CausalAttention(torch.nn.Module):
    """A module."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        ### BEGIN SOLUTION
        self.scale = d_out**-0.5
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.helper(x)

    def helper(self, x):
        return x
        ### END SOLUTION


def mask(tokens, *, device=None):
    ### BEGIN SOLUTION
    return tokens
    ### END SOLUTION
'''
ASKED = interface(SOLUTION)


def said(old, new):
    """What is told of the solution with an edit."""
    assert SOLUTION.count(old) >= 1
    return [one.says for one in misnamed(ASKED, [SOLUTION.replace(old, new)])]


def test_what_a_stub_shows():
    """Classes, methods and functions with their parameters; not what only the solution has."""
    assert ASKED == {
        "CausalAttention": (),
        "CausalAttention.__init__": ("d_in", "d_out", "context_length", "dropout", "qkv_bias"),
        "CausalAttention.forward": ("x",),
        "mask": ("tokens", "device"),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.helper", "self.other"),
        ("(self, x):\n        ### BEGIN", "(self, x, more=None):\n        ### BEGIN"),
        ("d_in, d_out, context_length, dropout, qkv_bias=False", "*sizes"),
        ("class CausalAttention", "class Attention"),  # a missing class is told by the check that misses it
    ],
)
def test_what_is_no_fault(old, new):
    """Private names, more parameters with defaults, all of them at once."""
    assert said(old, new) == []


def test_another_order():
    """It is grave: every call by position goes wrong."""
    [found] = misnamed(ASKED, [SOLUTION.replace("context_length, dropout", "dropout, context_length")])
    assert found.grave
    assert found.says == (
        "CausalAttention should take (d_in, d_out, context_length, dropout, qkv_bias), in this order; "
        "yours takes (d_in, d_out, dropout, context_length, qkv_bias)"
    )


def test_near_names():
    """A parameter or a method under another name."""
    assert said("qkv_bias", "qkv_biases") == [
        "CausalAttention should have a parameter qkv_bias; yours has qkv_biases, which looks like it"
    ]
    assert said("def forward", "def foward") == ["CausalAttention has no method forward; yours has foward"]
    assert said(", *, device=None", "") == ["mask should have a parameter device"]


def test_cells_that_are_no_python():
    """They have no names, and the others have theirs."""
    broken = ["def mask(", SOLUTION.replace("def forward", "def foward"), "\0", "(" * 500]
    assert [one.says for one in misnamed(ASKED, broken)] == [
        "CausalAttention has no method forward; yours has foward"
    ]


def test_lookalikes():
    """Capitals and underscores make no difference; what is far away is not offered."""
    assert lookalikes("W_query", ["w_query", "W_key", "scale"])[0] == "w_query"
    assert lookalikes("W_query", ["scale", "mask"]) == []
