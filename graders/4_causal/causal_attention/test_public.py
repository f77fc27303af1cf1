"""The public checks of CausalAttention: small sizes, numbers to follow by hand or to look up in the book."""

import pytest
import torch

from softmarks.testing import assert_close, assert_names, assert_shape, check, observe, push, sample

INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
WEIGHTS = {  # of the book's example, in the layout of nn.Linear: (d_out, d_in)
    "W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
}
CONTEXT = [
    [-0.4519, 0.2216],
    [-0.5874, 0.0058],
    [-0.6300, -0.0632],
    [-0.5675, -0.0843],
    [-0.5526, -0.0981],
    [-0.5299, -0.1081],
]


def of_the_book(student, dropout=0.0):
    """The book's module of size 3 to 2, with the book's weights, in eval mode."""
    attention = student.CausalAttention(3, 2, 6, dropout).eval()
    parameters = assert_names(attention, tuple(WEIGHTS)).parameters
    push(attention, {name: torch.tensor(weight) for name, weight in WEIGHTS.items()})
    more = {
        name: sample(*parameters[name].shape) for name in parameters if "." in name and name not in WEIGHTS
    }
    if more:
        push(attention, more)  # numbers that are the same each time, for what should not be there
    return attention


@pytest.mark.shape
def test_two_sequences_of_six_tokens(student):
    """(2, 6, 3) goes in, (2, 6, 2) comes out."""
    assert_shape(of_the_book(student)(sample(2, 6, 3)), (2, 6, 2), what="the context")


@pytest.mark.values
def test_context_of_the_book(student):
    """With the book's weights, its six tokens get the printed contexts, whatever else is in the batch."""
    context = of_the_book(student)(torch.tensor([INPUTS[::-1], INPUTS]))
    assert_shape(context, (2, 6, 2), what="the context")
    assert_close(context[1], torch.tensor(CONTEXT), atol=2e-4, what="the context of the second sequence")


@pytest.mark.values
def test_shorter_input(student):
    """The first four tokens alone get the same context vectors: they never saw the other two."""
    context = of_the_book(student)(torch.tensor([INPUTS[:4]]))
    assert_close(context, torch.tensor([CONTEXT[:4]]), atol=2e-4, what="the context")


@pytest.mark.dropout
def test_dropout_in_both_modes(student):
    """With a dropout rate, two calls differ in train mode and agree in eval mode."""
    attention, x = of_the_book(student, dropout=0.5), torch.tensor([INPUTS] * 20)
    assert_close(attention(x), torch.tensor([CONTEXT] * 20), atol=2e-4, what="the context in eval mode")
    both = observe(attention.train(), x, times=2, seed=1).value
    assert_shape(both, (2, 20, 6, 2), what="the contexts of two calls in train mode")
    check(
        bool((both[0] != both[1]).any()), "in train mode two calls give the same context: nothing is dropped"
    )


@pytest.mark.state
def test_mask_is_a_buffer(student):
    """The mask is registered as a buffer with the name mask."""
    assert_names(of_the_book(student), buffers=("mask",))
