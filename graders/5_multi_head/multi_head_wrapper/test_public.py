"""The public checks of MultiHeadAttentionWrapper: the book's sizes, and its numbers."""

import pytest
import torch

from softmarks.testing import (
    assert_close,
    assert_names,
    assert_shape,
    check,
    describe,
    observe,
    push,
    sample,
    with_weights,
)

INPUTS = [
    [0.43, 0.15, 0.89],  # Your
    [0.55, 0.87, 0.66],  # journey
    [0.57, 0.85, 0.64],  # starts
    [0.22, 0.58, 0.33],  # with
    [0.77, 0.25, 0.10],  # one
    [0.05, 0.80, 0.55],  # step
]
WEIGHTS = {  # of the book's example, in the layout of nn.Linear: (d_out, d_in)
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746], [0.217727, -0.491934, 0.423223]],
    "heads.0.W_key.weight": [[-0.419641, -0.459018, -0.364820], [0.261478, -0.213326, 0.216052]],
    "heads.0.W_value.weight": [[-0.490014, -0.350292, -0.211989], [-0.113461, -0.440439, 0.378044]],
    "heads.1.W_query.weight": [[-0.136157, 0.185322, 0.408269], [0.107564, 0.157877, 0.557292]],
    "heads.1.W_key.weight": [[-0.260390, 0.182876, -0.256872], [0.412603, 0.461105, -0.532301]],
    "heads.1.W_value.weight": [[0.492853, 0.275693, 0.251590], [0.237681, 0.479951, -0.076233]],
}
CONTEXT = [
    [-0.4519, 0.2216, 0.4772, 0.1063],
    [-0.5874, 0.0058, 0.5891, 0.3257],
    [-0.6300, -0.0632, 0.6202, 0.3860],
    [-0.5675, -0.0843, 0.5478, 0.3589],
    [-0.5526, -0.0981, 0.5321, 0.3428],
    [-0.5299, -0.1081, 0.5077, 0.3493],
]


def of_the_book(student, dropout=0.0):
    """The book's wrapper: two heads of size 3 to 2, with the book's weights, in eval mode."""
    wrapper = student.MultiHeadAttentionWrapper(3, 2, 6, dropout, num_heads=2).eval()
    assert_names(wrapper, tuple(WEIGHTS))
    with_weights(wrapper)
    push(wrapper, {name: torch.tensor(weight) for name, weight in WEIGHTS.items()})
    return wrapper


@pytest.mark.shape
@pytest.mark.parametrize(("d_out", "num_heads"), [(2, 2), (4, 1), (1, 3)])
def test_features_of_all_heads(student, d_out, num_heads):
    """d_out features for each of num_heads heads make d_out * num_heads features."""
    wrapper = student.MultiHeadAttentionWrapper(3, d_out, 6, 0.0, num_heads=num_heads)
    context = observe(wrapper, sample(2, 6, 3), seed=1).value
    assert_shape(context, (2, 6, d_out * num_heads), what="the context")


@pytest.mark.values
def test_context_of_the_book(student):
    """With the book's weights, its six tokens get the printed contexts: head 0 first, then head 1."""
    context = of_the_book(student)(torch.tensor([INPUTS[::-1], INPUTS]))
    assert_shape(context, (2, 6, 4), what="the context")
    assert_close(context[1], torch.tensor(CONTEXT), atol=2e-4, what="the context of the second sequence")


@pytest.mark.values
def test_shorter_input(student):
    """The first four tokens alone get the same context vectors."""
    context = of_the_book(student)(torch.tensor([INPUTS[:4]]))
    assert_close(context, torch.tensor([CONTEXT[:4]]), atol=2e-4, what="the context")


@pytest.mark.dropout
def test_dropout_in_both_modes(student):
    """With a dropout rate, two calls differ in train mode and agree in eval mode."""
    wrapper, x = of_the_book(student, dropout=0.5), torch.tensor([INPUTS] * 20)
    context = observe(wrapper, x, seed=1).value
    assert_close(context, torch.tensor([CONTEXT] * 20), atol=2e-4, what="the context in eval mode")
    both = observe(wrapper.train(), x, times=2, seed=1).value
    assert_shape(both, (2, 20, 6, 4), what="the contexts of two calls in train mode")
    check(
        bool((both[0] != both[1]).any()), "in train mode two calls give the same context: nothing is dropped"
    )


@pytest.mark.state
def test_parameters_are_those_of_the_heads(student):
    """Two heads have three matrices each, and with qkv_bias=True three biases each."""
    plain = student.MultiHeadAttentionWrapper(3, 2, 6, 0.0, num_heads=2)
    has = len(describe(plain).parameters)
    check(has == 6, f"two heads should have 6 parameters; yours have {has}", facts=(has,))
    biased = student.MultiHeadAttentionWrapper(3, 2, 6, 0.0, num_heads=2, qkv_bias=True)
    has = len(describe(biased).parameters)
    check(has == 12, f"with biases two heads should have 12 parameters; yours have {has}", facts=(has,))
