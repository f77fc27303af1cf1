"""The public checks of MaskedMultiHeadAttention: three tokens of four features, two heads."""

import pytest
import torch

from softmarks.testing import assert_close, assert_names, check, must_raise, push, with_weights

X = [[[1.0, 0.5, 0.2, 0.8], [0.3, 1.0, 0.7, 0.1], [0.6, 0.4, 1.0, 0.2]]]
LAYERS = {  # in the layout of nn.Linear: (outputs, inputs)
    "W_Q.weight": [
        [-0.203888, 0.016562, -0.248329, 0.188557],
        [-0.426028, 0.366522, -0.363420, -0.397521],
        [-0.315944, 0.226447, -0.184746, 0.187106],
        [-0.424365, -0.303362, -0.183588, -0.098260],
    ],
    "W_K.weight": [
        [-0.381432, 0.327395, -0.117916, 0.160494],
        [0.353572, 0.093153, 0.136725, 0.482629],
        [-0.225505, 0.158376, -0.222458, 0.357325],
        [0.399328, -0.460986, 0.426823, 0.238757],
    ],
    "W_V.weight": [
        [0.217884, 0.205838, 0.415650, -0.066020],
        [-0.422849, -0.143474, -0.352137, 0.033053],
        [-0.093354, -0.268192, -0.045461, 0.473702],
        [-0.039438, 0.015875, -0.077980, 0.078604],
    ],
    "W_O.weight": [
        [0.445506, 0.305746, 0.177481, 0.108655],
        [0.117896, 0.193167, -0.064612, -0.464704],
        [-0.309206, 0.426793, 0.029887, -0.405037],
        [0.078864, 0.413136, -0.472500, -0.336620],
    ],
}
WEIGHTS = [
    [[0.2960, 0.3591, 0.3449], [0.3328, 0.3268, 0.3405], [0.3041, 0.3442, 0.3517]],
    [[0.3083, 0.3898, 0.3019], [0.3160, 0.3801, 0.3040], [0.3071, 0.3794, 0.3135]],
]
OUTPUT = [
    [0.0338, -0.0263, -0.3914, -0.1357],
    [0.0309, -0.0276, -0.3891, -0.1382],
    [0.0331, -0.0265, -0.3912, -0.1368],
]
CAUSAL = torch.ones(3, 3, dtype=torch.bool).triu(diagonal=1)
CAUSAL_WEIGHTS = [
    [[1.0000, 0.0000, 0.0000], [0.5045, 0.4955, 0.0000], [0.3041, 0.3442, 0.3517]],
    [[1.0000, 0.0000, 0.0000], [0.4539, 0.5461, 0.0000], [0.3071, 0.3794, 0.3135]],
]
CAUSAL_OUTPUT = [
    [0.0188, -0.0792, -0.3406, -0.2674],
    [0.0232, -0.0351, -0.3606, -0.1344],
    [0.0331, -0.0265, -0.3912, -0.1368],
]


@pytest.fixture
def attention(student):
    """A module for four features and two heads, with these weights."""
    made = student.MaskedMultiHeadAttention(4, 2)
    assert_names(made, tuple(LAYERS))
    with_weights(made)
    push(made, {name: torch.tensor(weight) for name, weight in LAYERS.items()})
    return made


def answer(attention, mask=None):
    """The pair (output, weights) for X, after a look whether it is one."""
    found = attention(torch.tensor(X), mask)
    pair = isinstance(found, tuple) and len(found) == 2
    check(pair, "forward should return a pair: the output and the weights", facts=("no pair",))
    return found


DIMS = ("item", "head", "query", "key")


@pytest.mark.values
def test_without_a_mask(attention):
    """Output and weights when every token sees every token."""
    output, weights = answer(attention)
    assert_close(weights, torch.tensor([WEIGHTS]), atol=2e-4, dims=DIMS, what="the weights")
    assert_close(output, torch.tensor([OUTPUT]), atol=2e-4, what="the output")


@pytest.mark.mask
@pytest.mark.parametrize("dimensions", [2, 3])
def test_with_the_future_blocked(attention, dimensions):
    """Output and weights with a causal mask, given for all sequences or for the one that there is."""
    output, weights = answer(attention, CAUSAL if dimensions == 2 else CAUSAL[None])
    assert_close(weights, torch.tensor([CAUSAL_WEIGHTS]), atol=2e-4, dims=DIMS, what="the weights")
    assert_close(output, torch.tensor([CAUSAL_OUTPUT]), atol=2e-4, what="the output")


@pytest.mark.mask
def test_padding_at_the_end(attention):
    """A mask (batch, 1, tokens) that blocks the last token leaves the first two, for every query."""
    _, weights = answer(attention, torch.tensor([[[False, False, True]]]))
    expected = torch.tensor([WEIGHTS])
    expected[..., 2] = 0.0
    expected = expected / expected.sum(dim=-1, keepdim=True)
    assert_close(weights, expected, atol=3e-4, dims=DIMS, what="the weights")


@pytest.mark.mask
def test_everything_blocked_for_one_query(attention):
    """The second query has every key blocked: its weights and its output are zero."""
    mask = CAUSAL.clone()
    mask[1] = True
    output, weights = answer(attention, mask)
    expected, nothing = torch.tensor([CAUSAL_WEIGHTS]), torch.tensor([CAUSAL_OUTPUT])
    expected[:, :, 1], nothing[:, 1] = 0.0, 0.0
    assert_close(weights, expected, atol=2e-4, dims=DIMS, what="the weights")
    assert_close(output, nothing, atol=2e-4, what="the output")


@pytest.mark.errors
def test_a_mask_of_another_shape_is_refused(attention):
    """A mask (1, tokens) is refused, although broadcasting would take it."""
    must_raise(attention, torch.tensor(X), CAUSAL[:1], what="a mask of shape (1, 3)")
