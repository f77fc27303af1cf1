"""Learned encodings: a pushed table, its first rows added to every sequence, all of it trained."""

import pytest
import torch

from graders import oracle
from softmarks.testing import (
    assert_close,
    assert_dtype,
    assert_finite,
    assert_follows_device,
    assert_shape,
    assert_unmodified,
    check,
    describe,
    must_raise,
    observe,
    sample,
    with_weights,
)

BATCH, TOKENS, D_MODEL, MAX_LEN = 2, 7, 10, 16  # room for the tokens of both sequences, one after the other


def pushed(student):
    """A LearnedPE in eval mode, and the weights that it was given."""
    module = observe(student.LearnedPE, d_model=D_MODEL, max_len=MAX_LEN, seed=3).value.eval()
    return module, with_weights(module)


def named_table(weights):
    """Name and numbers of the parameter that is the table: whatever it is called, it has its shape."""
    found = [name for name, weight in weights.items() if tuple(weight.shape) == (MAX_LEN, D_MODEL)]
    shapes = [f"{name} {tuple(weight.shape)}" for name, weight in sorted(weights.items())]
    says = (
        f"no parameter is a table (max_len, d_model); with max_len={MAX_LEN} and d_model={D_MODEL} "
        f"the module has {', '.join(shapes) or 'no parameter'}"
    )
    check(bool(found), says, "wrong-shape", facts=tuple(shapes))
    return found[0], weights[found[0]]


def encoder(student):
    """A LearnedPE in eval mode with a pushed table, and that table."""
    module, weights = pushed(student)
    return module, named_table(weights)[1]


def output(module, x):
    """What the module makes of x, in the shape of x."""
    out = module(x)
    assert_shape(out, x.shape, what="the output")
    return out


@pytest.mark.shape
@pytest.mark.enforces("x (batch, tokens, d_model) -> the same shape and dtype, for any tokens <= max_len")
def test_the_output_has_the_shape_of_the_input(student):
    """An input (batch, tokens, d_model) comes back in its shape, whatever it holds."""
    module, _ = pushed(student)
    output(module, sample(BATCH, TOKENS, D_MODEL))


@pytest.mark.values
@pytest.mark.enforces("their rows are added to every sequence of the batch")
def test_every_sequence_gets_the_same_rows(student):
    """The same is added to each sequence, whatever it holds, and no two positions get the same."""
    module, _ = encoder(student)
    x, other = sample(BATCH, TOKENS, D_MODEL), sample(BATCH, TOKENS, D_MODEL, seed=1)
    rows, again = (output(module, given).double() - given.double() for given in (x, other))
    assert_close(
        rows[1], rows[0], dims=("token", "feature"), what="what sequence 1 gets (all should get the same)"
    )
    assert_close(again, rows, what="what another input gets (it should be the same)")
    apart = torch.cdist(rows[0], rows[0]) + torch.eye(TOKENS)
    check(apart.min().item() > 1e-3, "two positions get the same vector", facts=("same",))


@pytest.mark.values
@pytest.mark.enforces("add row $p$ to the token at position $p$ of every sequence")
def test_row_p_is_added_to_token_p(student):
    """Token p of a sequence becomes itself plus row p of the table."""
    module, table = encoder(student)
    x = sample(BATCH, TOKENS, D_MODEL)
    assert_close(module(x), oracle.learned_positions(table, x), what="the output")


@pytest.mark.values
@pytest.mark.needs("test_every_sequence_gets_the_same_rows")
@pytest.mark.enforces("for any tokens <= max_len")
@pytest.mark.parametrize("tokens", [MAX_LEN, 1])
def test_one_token_and_max_len_tokens(student, tokens):
    """One token gets row 0, and max_len tokens get all rows, the last one too."""
    module, table = encoder(student)
    x = sample(BATCH, tokens, D_MODEL)
    assert_close(module(x), oracle.learned_positions(table, x), what="the output")


@pytest.mark.values
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("No dropout: train and eval mode are alike.")
def test_nothing_is_dropped_in_training(student):
    """In train mode the output is the same sum, time after time."""
    module, table = encoder(student)
    x = sample(BATCH, TOKENS, D_MODEL)
    seen = observe(module.train(), x, seed=5, times=2).value
    expected = oracle.learned_positions(table, x)
    dims = ("call", "sequence", "token", "feature")
    assert_close(seen, torch.stack([expected, expected]), dims=dims, what="the output in train mode")


@pytest.mark.values
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("x itself keeps its values")
def test_the_input_is_left_alone(student):
    """The sum is a new tensor; the embeddings that were handed in keep their values."""
    module, _ = encoder(student)
    x = sample(BATCH, TOKENS, D_MODEL)
    assert_unmodified(observe(module, x, inputs=True), x)


@pytest.mark.gradient
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("every row is trained, the first one too")
def test_gradients_reach_the_rows_that_were_used(student):
    """Row p collects the gradients of token p from all sequences; rows that were not used get none."""
    module, weights = pushed(student)
    name, _ = named_table(weights)
    x, upstream = sample(BATCH, TOKENS, D_MODEL), sample(BATCH, TOKENS, D_MODEL, seed=1)
    gradient = observe(module, x, upstream=upstream).parameter_gradients.get(name)
    check(gradient is not None, "no gradient reaches the table", facts=("none",))
    rows = [sum(item[place].double() for item in upstream) for place in range(TOKENS)]
    unused = torch.zeros(MAX_LEN - TOKENS, D_MODEL, dtype=torch.float64)
    expected = torch.cat([torch.stack(rows), unused])
    assert_close(gradient, expected, dims=("position", "feature"), what="the gradient of the table")


@pytest.mark.gradient
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("y_{b,p} = x_{b,p} + E_p")
def test_gradients_pass_through_to_the_embeddings(student):
    """A sum hands every gradient on to x unchanged."""
    module, _ = encoder(student)
    upstream = sample(BATCH, TOKENS, D_MODEL, seed=1)
    arrived = observe(module, sample(BATCH, TOKENS, D_MODEL), upstream=upstream).input_gradients[0]
    check(arrived is not None, "no gradient reaches x", facts=("none",))
    assert_close(arrived, upstream, what="the gradient of x")


@pytest.mark.device
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("the positions 0 … tokens - 1, made on the device of x")
def test_table_and_positions_follow_the_device(student):
    """On another device the table is there, and the positions are made there."""
    module, _ = encoder(student)
    assert_follows_device(module, sample(BATCH, TOKENS, D_MODEL))


@pytest.mark.dtype
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("the same shape and dtype")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_the_number_type_is_kept(student, dtype):
    """A module moved to another number type takes it and returns it."""
    module, table = encoder(student)
    x = sample(BATCH, TOKENS, D_MODEL).to(dtype)
    out = module.to(dtype)(x)
    assert_dtype(out, dtype, what="the output")
    assert_finite(out, what="the output")
    if dtype == torch.float64:
        assert_close(out, oracle.learned_positions(table, x), what="the output")


@pytest.mark.state
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("`pe` is an nn.Embedding with max_len rows of d_model numbers, the only parameter.")
def test_the_table_is_the_only_parameter(student):
    """The only parameter is pe.weight, and it is trained."""
    module = student.LearnedPE(d_model=D_MODEL, max_len=MAX_LEN)
    parts = describe(module).parameters
    names = tuple(sorted(parts))
    check(
        "pe.weight" in parts,
        f"there is no pe.weight among the parameters: {', '.join(names) or 'none'}",
        facts=names,
    )
    others = tuple(sorted(set(parts) - {"pe.weight"}))
    check(not others, f"the module also trains {', '.join(others)}", facts=others)
    check(parts["pe.weight"].requires_grad, "pe.weight does not ask for a gradient", facts=("frozen",))


@pytest.mark.state
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("keep a table $E$ with one row a position")
def test_a_saved_table_is_restored(student):
    """A new module that loads the state of a used one gives the same."""
    used, _ = encoder(student)
    x = sample(BATCH, TOKENS, D_MODEL)
    before = output(used, x)
    new = student.LearnedPE(d_model=D_MODEL, max_len=MAX_LEN).eval()
    new.load_state_dict(used.state_dict())
    assert_close(new(x), before, what="the output of the new module")


@pytest.mark.errors
@pytest.mark.needs("test_row_p_is_added_to_token_p")
@pytest.mark.enforces("an input with more than max_len tokens raises")
def test_too_many_tokens_are_refused(student):
    """An input with more than max_len tokens is an error."""
    module, _ = encoder(student)
    x = sample(BATCH, MAX_LEN + 1, D_MODEL)
    must_raise(module, x, what=f"an input of {MAX_LEN + 1} tokens with max_len={MAX_LEN}")
