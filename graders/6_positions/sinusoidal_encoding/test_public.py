"""Sinusoidal encodings of small width, with numbers that a pocket calculator gives."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, check, describe, observe

WIDTH_4 = torch.tensor(
    [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414710, 0.5403023, 0.0099998, 0.9999500],  # sin 1, cos 1, sin 0.01, cos 0.01
        [0.9092974, -0.4161468, 0.0199987, 0.9998000],  # sin 2, cos 2, sin 0.02, cos 0.02
    ]
)


@pytest.mark.shape
def test_the_lecture_example_keeps_its_shape(student):
    """Four sequences of 20 tokens and width 128 keep their shape."""
    encoding = student.SinusoidalPE(d_model=128)
    assert_shape(encoding(torch.ones(4, 20, 128)), (4, 20, 128), what="the output")


@pytest.mark.values
@pytest.mark.needs
def test_wavelengths_of_width_4(student):
    """With d_model = 4 one turn takes 6.2832 tokens in the first pair and 628.3185 in the second."""
    expected = torch.tensor([6.2832, 628.3185])
    assert_close(student.wavelengths(4), expected, dims=("pair",), what="wavelengths(4)")


@pytest.mark.values
def test_the_first_positions_of_width_4(student):
    """Position 1 adds sin 1 = 0.8415, cos 1 = 0.5403, sin 0.01 = 0.0100 and cos 0.01 = 0.99995."""
    encoding = student.SinusoidalPE(d_model=4, max_len=6).eval()
    x = torch.full((2, 3, 4), 0.5)
    assert_close(encoding(x), (WIDTH_4 + 0.5).expand(2, 3, 4), what="the output")


@pytest.mark.values
def test_an_odd_width(student):
    """With d_model = 3 the last dimension is a sine without its cosine."""
    encoding = student.SinusoidalPE(d_model=3, max_len=6).eval()
    expected = torch.tensor([[[0.0, 1.0, 0.0], [0.8414710, 0.5403023, 0.0021544]]])
    assert_close(encoding(torch.zeros(1, 2, 3)), expected, what="the output for zeros")


@pytest.mark.dropout
@pytest.mark.needs("test_the_first_positions_of_width_4")
def test_dropout_in_training_and_none_in_eval(student):
    """At rate 0.2 each entry of the sum becomes 0 or 1.25 times itself in training; in eval it stays."""
    encoding = student.SinusoidalPE(d_model=4, max_len=6, dropout=0.2).eval()
    x = torch.full((50, 3, 4), 2.0)
    total = (WIDTH_4 + 2.0).expand(50, 3, 4)
    assert_close(observe(encoding, x, seed=1).value, total, what="the output in eval mode")
    trained = observe(encoding.train(), x, seed=1).value
    assert_shape(trained, (50, 3, 4), what="the output in training")
    dropped = trained == 0
    assert_close(trained, torch.where(dropped, 0.0, total * 1.25), what="the output in training")
    share = dropped.double().mean().item()
    check(
        0.1 < share < 0.3,
        f"a share of {share:.2f} of the entries is dropped at rate 0.2",
        facts=(round(share, 1),),
    )


@pytest.mark.state
@pytest.mark.needs("test_the_first_positions_of_width_4")
def test_the_table_is_a_buffer(student):
    """The table is a buffer called pe, and there is nothing to train."""
    parts = describe(student.SinusoidalPE(d_model=4, max_len=6))
    check(
        "pe" in parts.buffers,
        f"the buffers are {list(parts.buffers)}, without pe",
        facts=tuple(parts.buffers),
    )
    check(not parts.parameters, f"{list(parts.parameters)} would be trained", facts=tuple(parts.parameters))
