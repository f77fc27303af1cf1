"""Sinusoidal encodings of small width, with numbers that a pocket calculator gives."""

import pytest
import torch

from softmarks.testing import assert_close, assert_shape, check, describe, observe

WIDTH_6 = torch.tensor(
    [
        [0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        [0.8414710, 0.5403023, 0.0463992, 0.9989230, 0.0021544, 0.9999977],  # of 1, 0.0464159, 0.0021544
        [0.9092974, -0.4161468, 0.0926985, 0.9956942, 0.0043089, 0.9999907],  # of twice as much
    ]
)


@pytest.mark.shape
def test_the_lecture_example_keeps_its_shape(student):
    """Four sequences of 20 tokens and width 128 keep their shape."""
    encoding = student.SinusoidalPE(d_model=128)
    assert_shape(encoding(torch.ones(4, 20, 128)), (4, 20, 128), what="the output")


@pytest.mark.values
@pytest.mark.needs
@pytest.mark.parametrize(("d_model", "tokens"), [(4, [6.2832, 628.3185]), (5, [6.2832, 250.1381, 9958.1776])])
def test_wavelengths(student, d_model, tokens):
    """One turn takes 6.2832 and 628.3185 tokens for d_model = 4; 6.2832, 250.1381 and 9958.1776 for 5."""
    assert_close(student.wavelengths(d_model), torch.tensor(tokens), dims=("pair",), what="the wavelengths")


@pytest.mark.values
def test_the_first_positions_of_width_6(student):
    """Position 1 adds the sine and cosine of 1, of 0.0464159 and of 0.0021544."""
    encoding = student.SinusoidalPE(d_model=6, max_len=6).eval()
    x = torch.full((2, 3, 6), 0.5)
    assert_close(encoding(x), (WIDTH_6 + 0.5).expand(2, 3, 6), what="the output")


@pytest.mark.values
def test_an_odd_width(student):
    """With d_model = 5 the last dimension of position 30 is sin(30 / 10000^(4/5)) = 0.0189."""
    encoding = student.SinusoidalPE(d_model=5, max_len=40).eval()
    out = encoding(torch.zeros(1, 31, 5))
    assert_shape(out, (1, 31, 5), what="the output for zeros")
    expected = torch.tensor([-0.9880316, 0.1542514, 0.6842426, 0.7292545, 0.0189276])
    assert_close(out[0, 30], expected, dims=("feature",), what="position 30")


@pytest.mark.dropout
@pytest.mark.needs("test_the_first_positions_of_width_6")
def test_dropout_in_training_and_none_in_eval(student):
    """At rate 0.2 each entry of the sum becomes 0 or 1.25 times itself in training; in eval it stays."""
    encoding = student.SinusoidalPE(d_model=6, max_len=6, dropout=0.2).eval()
    x = torch.full((50, 3, 6), 2.0)
    total = (WIDTH_6 + 2.0).expand(50, 3, 6)
    assert_close(observe(encoding, x, seed=1).value, total, what="the output in eval mode")
    trained = observe(encoding.train(), x, seed=1).value
    assert_shape(trained, (50, 3, 6), what="the output in training")
    dropped = trained == 0
    assert_close(trained, torch.where(dropped, 0.0, total * 1.25), what="the output in training")
    share = dropped.double().mean().item()
    check(
        0.1 < share < 0.3,
        f"a share of {share:.2f} of the entries is dropped at rate 0.2",
        facts=(round(share, 1),),
    )


@pytest.mark.state
@pytest.mark.needs("test_the_first_positions_of_width_6")
def test_the_table_is_a_buffer(student):
    """The table is a buffer called pe, and there is nothing to train."""
    parts = describe(student.SinusoidalPE(d_model=6, max_len=6))
    trained = tuple(parts.parameters)
    check(not trained, f"{list(trained)} would be trained", facts=("trained", *trained))
    buffers = tuple(parts.buffers)
    check("pe" in buffers, f"the buffers are {list(buffers)}, without pe", facts=(len(parts.plain), *buffers))
