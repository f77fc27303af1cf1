"""A table of five rows and four columns, with numbers that tell the rows apart."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, check, describe, must_raise, observe, push

TABLE = torch.tensor(
    [
        [0.1, 0.2, 0.3, 0.4],
        [1.1, 1.2, 1.3, 1.4],
        [2.1, 2.2, 2.3, 2.4],
        [3.1, 3.2, 3.3, 3.4],
        [4.1, 4.2, 4.3, 4.4],
    ]
)


def encoder(student):
    """A LearnedPE with the table above."""
    encoding = student.LearnedPE(d_model=4, max_len=5)
    parts = describe(encoding)
    has = tuple(sorted(parts.parameters))
    check("pe.weight" in has, f"the parameters are {list(has)}, without pe.weight", facts=has)
    shape = tuple(parts.parameters["pe.weight"].shape)
    check(
        shape == (5, 4),
        f"pe.weight has shape {shape} for max_len=5 and d_model=4",
        "wrong-shape",
        facts=shape,
    )
    push(encoding, {"pe.weight": TABLE})
    return encoding


@pytest.mark.shape
def test_the_shape_is_kept(student):
    """Two sequences of three tokens keep their shape."""
    assert_shape(student.LearnedPE(d_model=4, max_len=5)(torch.ones(2, 3, 4)), (2, 3, 4), what="the output")


@pytest.mark.values
@pytest.mark.parametrize("tokens", [3, 5, 1])
def test_row_p_is_added_to_token_p(student, tokens):
    """The first rows of the table are added to the tokens of both sequences, in train mode and in eval."""
    encoding = encoder(student)
    x = torch.full((2, tokens, 4), 0.5)
    expected = (TABLE[:tokens] + 0.5).expand(2, tokens, 4)
    assert_close(encoding(x), expected, what="the output")
    assert_close(encoding.eval()(x), expected, what="the output in eval mode")


@pytest.mark.gradient
@pytest.mark.needs("test_row_p_is_added_to_token_p")
def test_rows_that_were_used_are_trained(student):
    """After two sequences of three tokens three rows have a gradient and two have none."""
    seen = observe(encoder(student), torch.ones(2, 3, 4), upstream=torch.ones(2, 3, 4))
    gradient = seen.parameter_gradients.get("pe.weight")
    check(gradient is not None, "no gradient reaches pe.weight", facts=("none",))
    used = torch.tensor([[2.0], [2.0], [2.0], [0.0], [0.0]]).expand(5, 4)
    assert_close(gradient, used, dims=("position", "feature"), what="the gradient of pe.weight")


@pytest.mark.errors
@pytest.mark.needs("test_row_p_is_added_to_token_p")
def test_a_sixth_token_is_refused(student):
    """Six tokens do not fit a table of five rows."""
    must_raise(encoder(student), torch.ones(2, 6, 4), what="an input of 6 tokens with max_len=5")
