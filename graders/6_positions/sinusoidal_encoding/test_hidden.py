"""Sinusoidal encodings: one table, the right numbers in it, added to every sequence, never trained."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_follows_device,
    assert_names,
    assert_rate,
    assert_shape,
    assert_unmodified,
    check,
    describe,
    must_raise,
    observe,
    sample,
)

MAX_LEN = 12


def encoder(student, d_model=10, max_len=MAX_LEN, dropout=0.0):
    """A SinusoidalPE in eval mode; with rate 0, so that faults of the dropout show where it is asked for."""
    return student.SinusoidalPE(d_model=d_model, max_len=max_len, dropout=dropout).eval()


def output(module, x, seed=None):
    """What the module makes of x, in the shape of x."""
    out = observe(module, x, seed=seed).value
    assert_shape(out, x.shape, what="the output")
    return out


def added(module, x):
    """What the module adds to x: (batch, tokens, d_model)."""
    return output(module, x).double() - x.double()


def table(student, tokens, d_model, max_len=MAX_LEN):
    """The encodings that one sequence gets: (tokens, d_model)."""
    return added(encoder(student, d_model, max_len), sample(1, tokens, d_model))[0]


def encodings(tokens, d_model):
    """What they should be."""
    return oracle.sinusoidal_table(tokens, d_model)


@pytest.mark.shape
@pytest.mark.enforces("x (batch, tokens, d_model) -> the same shape and dtype, for any tokens <= max_len")
def test_the_output_has_the_shape_of_the_input(student):
    """An input (batch, tokens, d_model) comes back in its shape."""
    output(encoder(student), sample(2, 7, 10))


@pytest.mark.shape
@pytest.mark.parametrize("d_model", [9, 5])
def test_an_odd_width_is_no_obstacle(student, d_model):
    """An odd d_model, one more sine than cosines, works too and keeps the shape of the input."""
    output(encoder(student, d_model), sample(2, 7, d_model))


@pytest.mark.shape
@pytest.mark.enforces("one entry a pair")
@pytest.mark.parametrize(("d_model", "pairs"), [(10, 5), (4, 2)])
def test_one_wavelength_for_each_pair(student, d_model, pairs):
    """An even d_model has d_model / 2 wavelengths, one a pair."""
    assert_shape(student.wavelengths(d_model), (pairs,), what=f"wavelengths({d_model})")


@pytest.mark.shape
@pytest.mark.parametrize(("d_model", "pairs"), [(9, 5), (3, 2)])
def test_one_wavelength_for_the_last_sine(student, d_model, pairs):
    """An odd d_model has (d_model + 1) / 2 wavelengths: the sine without a cosine counts too."""
    assert_shape(student.wavelengths(d_model), (pairs,), what=f"wavelengths({d_model})")


@pytest.mark.values
@pytest.mark.needs("test_one_wavelength_for_each_pair")
@pytest.mark.enforces(
    "one turn is 2 pi radians, and pair i turns by 1 / 10000^(2i / d_model) radians a token"
)
@pytest.mark.parametrize("d_model", [10, 128])
def test_wavelengths_of_even_widths(student, d_model):
    """Pair i takes 2 pi 10000^(2i / d_model) tokens for a turn, 2 pi the first."""
    actual, expected = student.wavelengths(d_model), oracle.sinusoidal_wavelengths(d_model)
    what = f"wavelengths({d_model})"
    assert_close(actual, expected, rtol=2e-5, atol=1e-5, dims=("pair",), what=what)  # 10001 is another base


@pytest.mark.values
@pytest.mark.needs("test_one_wavelength_for_the_last_sine")
@pytest.mark.enforces("an odd d_model ends in a sine alone")
@pytest.mark.parametrize("d_model", [9, 3])
def test_wavelengths_of_odd_widths(student, d_model):
    """The formula is that of the odd width itself, up to the sine without a cosine."""
    expected = oracle.sinusoidal_wavelengths(d_model)
    assert_close(student.wavelengths(d_model), expected, dims=("pair",), what=f"wavelengths({d_model})")


@pytest.mark.values
@pytest.mark.needs("test_the_output_has_the_shape_of_the_input")
@pytest.mark.enforces("add the rows of the first `tokens` positions to every sequence of the batch")
def test_every_sequence_gets_the_same_table(student):
    """The same is added to each sequence whatever it holds, and no two positions get the same."""
    module = encoder(student)
    x = sample(2, 7, 10)
    encoding = added(module, x)
    assert_close(
        encoding[1],
        encoding[0],
        dims=("token", "feature"),
        what="what sequence 1 gets (all should get the same)",
    )
    assert_close(
        added(module, sample(2, 7, 10, seed=1)),
        encoding,
        what="what another input gets (it should be the same)",
    )
    apart = torch.cdist(encoding[0], encoding[0]) + torch.eye(7)
    check(apart.min().item() > 1e-3, "two positions get the same encoding", facts=("same",))


@pytest.mark.values
@pytest.mark.needs("test_the_output_has_the_shape_of_the_input")
@pytest.mark.enforces("sines into the even dimensions, cosines into the odd ones")
@pytest.mark.parametrize("tokens", [7, 1, MAX_LEN])
def test_the_table_holds_sines_and_cosines(student, tokens):
    """Dimension 2i of position p is sin(p / 10000^(2i / d_model)), dimension 2i + 1 its cosine."""
    actual = table(student, tokens, 10)
    assert_close(actual, encodings(tokens, 10), dims=("token", "feature"), what="the encoding")


@pytest.mark.values
@pytest.mark.needs("test_an_odd_width_is_no_obstacle")
@pytest.mark.enforces("its $i$ and $d$ are those of the formula")
@pytest.mark.parametrize("d_model", [9, 5])
def test_pairs_of_odd_widths(student, d_model):
    """With an odd d_model the pairs of sine and cosine follow the formula, divided by the odd d_model."""
    actual, expected = table(student, 7, d_model)[:, :-1], encodings(7, d_model)[:, :-1]
    assert_close(actual, expected, dims=("token", "feature"), what="the encoding, without the last dimension")


@pytest.mark.values
@pytest.mark.needs("test_an_odd_width_is_no_obstacle")
@pytest.mark.parametrize("d_model", [9, 5])
def test_odd_widths_end_in_a_sine(student, d_model):
    """With an odd d_model the last dimension is a sine by the same formula, without its cosine."""
    actual, expected = table(student, 7, d_model)[:, -1], encodings(7, d_model)[:, -1]
    assert_close(actual, expected, dims=("token",), what="the last dimension of the encoding")


@pytest.mark.values
@pytest.mark.needs("test_every_sequence_gets_the_same_table")
@pytest.mark.enforces("the pairs' frequencies give the angles")
def test_each_pair_lies_on_the_unit_circle(student):
    """Dimensions 2i and 2i + 1 are sine and cosine of one angle: their squares add up to 1."""
    squares = table(student, 7, 10).square().unflatten(1, (5, 2)).sum(dim=2)  # (tokens, pairs)
    assert_close(squares, torch.ones(7, 5), dims=("token", "pair"), what="sine squared plus cosine squared")


@pytest.mark.values
@pytest.mark.needs("test_every_sequence_gets_the_same_table")
@pytest.mark.enforces("**low dimensions are fine, high ones are coarse**")
def test_low_dimensions_are_fine_and_high_ones_coarse(student):
    """From one token to the next the first pair moves furthest, and the later ones ever less."""
    encoding = table(student, 2, 10)
    steps = (encoding[1] - encoding[0]).unflatten(0, (5, 2)).norm(dim=1)  # (pairs,)
    falling = bool((steps[1:] < 0.9 * steps[:-1]).all()) and 0.5 < steps[0].item() < 1.5
    shown = ", ".join(f"{step:.4f}" for step in steps.tolist())
    check(falling, f"from position 0 to 1 your pairs move by {shown}")


@pytest.mark.values
@pytest.mark.needs("test_the_output_has_the_shape_of_the_input")
@pytest.mark.enforces("positions 0 … max_len - 1")
def test_far_positions_are_right_too(student):
    """The formula holds up to position 4999."""
    actual = table(student, 5000, 6, max_len=5000)[4900:]
    expected = encodings(5000, 6)[4900:]  # angles of this size are off by up to 4e-4 in float32
    assert_close(actual, expected, atol=1e-3, dims=("token", "feature"), what="the encoding, from 4900 on")


@pytest.mark.values
@pytest.mark.needs("test_every_sequence_gets_the_same_table")
@pytest.mark.enforces("The sum is a new tensor: x keeps its values.")
def test_the_input_is_left_alone(student):
    """The sum is a new tensor; the embeddings that were handed in keep their values."""
    x = sample(2, 7, 10)
    assert_unmodified(observe(encoder(student), x, inputs=True), x)


@pytest.mark.dropout
@pytest.mark.needs("test_every_sequence_gets_the_same_table")
def test_dropout_acts_on_the_sum_at_its_rate(student):
    """In training a share p of the sum's entries becomes 0, each by itself; the others grow by 1/(1-p)."""
    module = encoder(student, dropout=0.2)
    x = sample(1, 7, 10).expand(400, 7, 10)
    plain = output(module, x).double()
    trained = output(module.train(), x, seed=5).double()
    dropped = trained == 0  # (copies, tokens, features)
    assert_rate(dropped.double().mean().item(), 0.2, dropped.numel(), what="the share of entries that are 0")
    survivors = torch.where(dropped, torch.zeros(()).double(), plain / 0.8)
    assert_close(trained, survivors, dims=("copy", "token", "feature"), what="the output in training")
    by_place = dropped.double().mean(dim=0)  # how often each of the 70 entries fell in 400 copies
    alone = by_place.min().item() > 0.08 and by_place.max().item() < 0.32
    check(alone, "some entries are dropped in every sequence and others in none", facts=("copies",))
    whole_tokens = dropped.all(dim=2).sum().item()
    check(whole_tokens == 0, f"{whole_tokens} tokens are dropped as a whole", facts=("tokens",))


@pytest.mark.dropout
@pytest.mark.needs("test_every_sequence_gets_the_same_table")
@pytest.mark.enforces("The dropout rests in eval mode.")
def test_no_dropout_in_eval_mode(student):
    """In eval mode the output is the plain sum, whatever the rate."""
    x = sample(2, 7, 10)
    plain = output(encoder(student, dropout=0.0), x)
    module = encoder(student, dropout=0.2)
    for seed in (5, 6):
        assert_close(output(module, x, seed), plain, what="the output in eval mode")


@pytest.mark.gradient
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
def test_gradients_pass_through_to_the_embeddings(student):
    """Adding a constant hands every gradient on to x unchanged."""
    upstream = sample(2, 7, 10, seed=1)
    seen = observe(encoder(student), sample(2, 7, 10), upstream=upstream)
    arrived = seen.input_gradients[0]
    check(arrived is not None, "no gradient reaches x", facts=("none",))
    assert_close(arrived, upstream, what="the gradient of x")


@pytest.mark.device
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
@pytest.mark.enforces("A buffer moves with the module to another device.")
def test_the_table_follows_the_device(student):
    """On another device the module finds its table there."""
    module = encoder(student)
    plain = tuple(describe(module).plain)
    says = f"{', '.join(plain)} is a plain tensor attribute: .to(device) does not move it"
    check(not plain, says, "wrong-device", facts=("plain",))
    assert_follows_device(module, sample(2, 7, 10))


@pytest.mark.dtype
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_the_output_has_the_dtype_of_the_module(student, dtype):
    """A module in float32, float64 or bfloat16 gives that dtype for an input of that dtype."""
    module = encoder(student)
    if dtype != torch.float32:
        module = module.to(dtype)
    assert_dtype(module(sample(2, 7, 10).to(dtype)), dtype, what="the output")


@pytest.mark.state
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
def test_the_table_is_a_buffer_and_nothing_is_trained(student):
    """From the start the table is a buffer called pe, and the module has no parameters."""
    module = encoder(student)
    parts = describe(module)
    trained = tuple(parts.parameters)
    check(not trained, f"the module would train {', '.join(trained)}", facts=("trained", *trained))
    assert_names(module, buffers=("pe",))
    shape = tuple(parts.buffers["pe"].shape)
    fits = shape in ((MAX_LEN, 10), (1, MAX_LEN, 10))
    says = f"the buffer pe has shape {shape} for max_len={MAX_LEN} and d_model=10"
    check(fits, says, "wrong-shape", facts=shape)


@pytest.mark.state
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
@pytest.mark.enforces("register the table as the buffer `pe`")
def test_a_saved_state_loads_into_a_new_module(student):
    """The state of a module that has been used fits a new one, which then gives the same."""
    x = sample(2, 7, 10)
    used, new = encoder(student), encoder(student)
    before = output(used, x)
    new.load_state_dict(used.state_dict())
    assert_close(new(x), before, what="the output of the new module")


@pytest.mark.errors
@pytest.mark.needs("test_the_table_holds_sines_and_cosines")
def test_too_many_tokens_are_refused(student):
    """An input with more than max_len tokens is an error."""
    x = sample(2, MAX_LEN + 1, 10)
    must_raise(encoder(student), x, what=f"an input of {MAX_LEN + 1} tokens with max_len={MAX_LEN}")
