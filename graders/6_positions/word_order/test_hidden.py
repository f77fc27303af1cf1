"""The two errors on modules whose right errors the oracle knows, and the words of predictions().

A check needs those of its own function alone. An error of 0 counts only beside one that is not 0.
"""

import pytest
import torch

from graders import oracle
from softmarks.testing import assert_close, assert_unmodified, check, observe, push, sample

BATCH, TOKENS, D_IN, D_OUT = 2, 7, 10, 12
ORDER = (3, 0, 6, 5, 1, 2, 4)  # applied twice, or undone, it is another order

MODULES = """
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

class Attention(nn.Module):
    def __init__(self, d_in, d_out, causal=False):
        super().__init__()
        self.causal = causal
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return scaled_dot_product_attention(queries, keys, values, is_causal=self.causal)

class Ramp(nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        places = torch.arange(x.shape[1], dtype=x.dtype, device=x.device)
        return self.factor * x * places.unsqueeze(1)

class Tenfold(nn.Module):
    def forward(self, x):
        return 10 * x

class MeanKept(nn.Module):
    def forward(self, x):
        return x.mean(dim=1, keepdim=True).expand_as(x)

class RampMean(Ramp):
    def forward(self, x):
        return super().forward(x).mean(dim=1)

class RampSum(Ramp):
    def forward(self, x):
        return super().forward(x).sum(dim=(1, 2))

class RampTotal(Ramp):
    def forward(self, x):
        return super().forward(x).sum()
"""


def ramp(x):
    """What Ramp makes of x, in float64: token i times i."""
    return torch.stack([place * x[:, place].double() for place in range(x.shape[1])], dim=1)


def order():
    return torch.tensor(ORDER)


def number(value, what):
    """The one number that ``value`` is, as a float."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    single = isinstance(value, torch.Tensor) and value.dim() == 0 and value.dtype != torch.bool
    shape = tuple(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
    seen = f"of {'shape' if isinstance(shape, tuple) else 'type'} {shape}"
    says = f"{what} should be one number, a float or a tensor without dimensions; yours is {seen}"
    check(plain or single, says, "wrong-shape", facts=(shape,))
    return float(value.detach() if isinstance(value, torch.Tensor) else value)


def attention(student, causal=False, sign=1.0):
    """An attention module with pushed weights, 10 -> 12, and the same function by the oracle.

    The other sign turns all outputs, and so all differences, round.
    """
    names = ("W_query", "W_key", "W_value")
    drawn = {name: sample(D_IN, D_OUT, seed=k) * (2 / D_IN**0.5) for k, name in enumerate(names)}
    drawn["W_value"] = sign * drawn["W_value"]
    module = student.define(MODULES).Attention(D_IN, D_OUT, causal)
    push(module, {f"{name}.weight": matrix.T.contiguous() for name, matrix in drawn.items()})
    function = oracle.causal_attention if causal else oracle.plain_attention
    # causal_attention takes "W_query.weight" (out, in), plain_attention "W_query" (in, out)
    stored = {f"{name}.weight": matrix.T for name, matrix in drawn.items()} if causal else drawn
    return module, lambda x: function(stored, x)


@pytest.mark.shape
@pytest.mark.enforces("returns one number: a float or a tensor without dimensions")
def test_the_equivariance_error_is_a_number(student):
    """equivariance_error returns one number, which depends on the module."""
    modules = student.define(MODULES)
    x = sample(BATCH, TOKENS, D_IN)
    large, none = (
        number(student.equivariance_error(module, x, order()), "the equivariance error")
        for module in (modules.Ramp(), modules.Tenfold())
    )
    says = "the equivariance error is the same for a module that is equivariant and one that is not"
    check(abs(large - none) > 1e-3, says, facts=("same",))


@pytest.mark.shape
@pytest.mark.enforces("as above -> one number, a float or a tensor without dimensions")
def test_the_invariance_error_is_a_number(student):
    """invariance_error returns one number, which depends on the module."""
    modules = student.define(MODULES)
    x = sample(BATCH, TOKENS, D_IN)
    large, none = (
        number(student.invariance_error(module, x, order()), "the invariance error")
        for module in (modules.Ramp(), modules.MeanKept())
    )
    says = "the invariance error is the same for a module that is invariant and one that is not"
    check(abs(large - none) > 1e-3, says, facts=("same",))


@pytest.mark.values
@pytest.mark.needs("test_the_equivariance_error_is_a_number")
@pytest.mark.enforces("The largest absolute difference between module(Px) and P module(x).")
def test_the_equivariance_error_of_attention(student):
    """Plain attention has an equivariance error of rounding alone, causal attention a large one."""
    x = sample(BATCH, TOKENS, D_IN, seed=4)
    for causal, sign in ((True, 1.0), (True, -1.0), (False, 1.0)):
        module, function = attention(student, causal, sign)
        right = oracle.equivariance_error(function, x, ORDER)
        name = "causal" if causal else "plain"
        error = number(student.equivariance_error(module, x, order()), "the equivariance error")
        assert_close(error, right, what=f"the equivariance error of {name} attention")


@pytest.mark.values
@pytest.mark.needs("test_the_equivariance_error_is_a_number")
@pytest.mark.enforces("The largest difference is that over all sequences, tokens and features.")
@pytest.mark.parametrize("loud", [0, 1])
def test_equivariance_looks_at_every_sequence(student, loud):
    """The largest equivariance error counts, in whichever sequence, and whichever sign the difference has."""
    x = sample(BATCH, TOKENS, D_IN, seed=5)
    x[loud] *= 3  # so that the largest difference is in this sequence
    for factor in (1.0, -1.0):
        error = student.equivariance_error(student.define(MODULES).Ramp(factor), x, order())
        right = oracle.equivariance_error(ramp, x, ORDER)
        what = f"the equivariance error of a module that multiplies token i by {'-' * (factor < 0)}i"
        assert_close(number(error, "the equivariance error"), right, what=what)


@pytest.mark.values
@pytest.mark.needs("test_the_equivariance_error_is_a_number")
@pytest.mark.enforces("P puts the tokens into the given order: token i of Px is token permutation[i] of x")
@pytest.mark.parametrize("permutation", [(1, 2, 0), (2, 0, 1), (0, 1, 2)])
def test_equivariance_follows_the_given_order(student, permutation):
    """Token i of Px is token permutation[i] of x; an order that changes nothing gives an error of 0."""
    x = sample(1, 3, 2, seed=6)
    error = student.equivariance_error(student.define(MODULES).Ramp(), x, torch.tensor(permutation))
    right = oracle.equivariance_error(ramp, x, permutation)
    what = f"the equivariance error for the order {permutation}"
    assert_close(number(error, "the equivariance error"), right, what=what)


@pytest.mark.values
@pytest.mark.needs("test_the_invariance_error_is_a_number")
@pytest.mark.enforces("The largest absolute difference between module(Px) and module(x).")
def test_the_invariance_error_of_attention(student):
    """Attention with one output a token is not invariant: other tokens stand at the places."""
    x = sample(BATCH, TOKENS, D_IN, seed=4)
    for sign in (1.0, -1.0):
        module, function = attention(student, sign=sign)
        error = number(student.invariance_error(module, x, order()), "the invariance error")
        right = oracle.invariance_error(function, x, ORDER)
        assert_close(error, right, what="the invariance error of plain attention")


@pytest.mark.values
@pytest.mark.needs("test_the_invariance_error_is_a_number")
@pytest.mark.parametrize("loud", [0, 1])
@pytest.mark.enforces("The largest difference is that over all sequences, tokens and features.")
def test_invariance_looks_at_every_sequence(student, loud):
    """The largest invariance error counts, in whichever sequence, and whichever sign the difference has."""
    x = sample(BATCH, TOKENS, D_IN, seed=5)
    x[loud] *= 3  # so that the largest difference is in this sequence
    for factor in (1.0, -1.0):
        error = student.invariance_error(student.define(MODULES).Ramp(factor), x, order())
        right = oracle.invariance_error(ramp, x, ORDER)
        what = f"the invariance error of a module that multiplies token i by {'-' * (factor < 0)}i"
        assert_close(number(error, "the invariance error"), right, what=what)


@pytest.mark.values
@pytest.mark.needs("test_the_invariance_error_is_a_number")
@pytest.mark.enforces(
    "Here the module may give a tensor of any shape, with or without a dimension for tokens, "
    "or a single number without dimensions."
)
@pytest.mark.parametrize("name", ["RampMean", "RampSum", "RampTotal"])
def test_invariance_takes_results_of_any_shape(student, name):
    """A module may give (batch, features), (batch,) or a single number."""
    reduced = {
        "RampMean": lambda x: ramp(x).mean(dim=1),
        "RampSum": lambda x: ramp(x).sum(dim=(1, 2)),
        "RampTotal": lambda x: ramp(x).sum(),
    }
    x = sample(BATCH, TOKENS, D_IN, seed=7)
    module = getattr(student.define(MODULES), name)()
    right = oracle.invariance_error(reduced[name], x, ORDER)
    error = number(student.invariance_error(module, x, order()), "the invariance error")
    what = f"the invariance error of a module whose result has shape {tuple(reduced[name](x).shape)}"
    assert_close(error, right, rtol=1e-3, what=what)


@pytest.mark.values
@pytest.mark.needs("test_the_equivariance_error_of_attention")
@pytest.mark.enforces("Leave x as it is.")
def test_equivariance_leaves_x_alone(student):
    """equivariance_error gives x back as it got it."""
    x, module = sample(BATCH, TOKENS, D_IN), student.define(MODULES).Tenfold()
    seen = observe(student.equivariance_error, module, x, order(), inputs=True)
    assert_unmodified(seen, x, order())


@pytest.mark.values
@pytest.mark.needs("test_the_invariance_error_of_attention")
@pytest.mark.enforces("Leave x as it is.")
def test_invariance_leaves_x_alone(student):
    """invariance_error gives x back as it got it."""
    x, module = sample(BATCH, TOKENS, D_IN), student.define(MODULES).Tenfold()
    seen = observe(student.invariance_error, module, x, order(), inputs=True)
    assert_unmodified(seen, x, order())


@pytest.mark.dtype
@pytest.mark.needs("test_the_equivariance_error_of_attention", "test_the_invariance_error_of_attention")
@pytest.mark.enforces("x (batch, tokens, features), float32 or float64")
def test_float64_is_taken(student):
    """Both errors work for an x of float64 and a module that goes with it."""
    x, module = sample(BATCH, TOKENS, D_IN, seed=8).double(), student.define(MODULES).Ramp()
    error = number(student.equivariance_error(module, x, order()), "the equivariance error")
    assert_close(error, oracle.equivariance_error(ramp, x, ORDER), what="the equivariance error")
    error = number(student.invariance_error(module, x, order()), "the invariance error")
    assert_close(error, oracle.invariance_error(ramp, x, ORDER), what="the invariance error")


NAMES = ("plain", "causal", "pooled", "positioned")
WORDS = ("equivariant", "invariant", "neither")


def said(student):
    """What predictions() says: a dict with one of the three words for each of the four names."""
    answers = student.predictions()
    kind = type(answers).__name__
    check(isinstance(answers, dict), f"predictions() should give a dict; yours gives a {kind}", facts=(kind,))
    names = tuple(sorted(map(str, answers)))
    missing = [name for name in NAMES if name not in answers]
    check(not missing, f"predictions() says nothing about {', '.join(missing)}", facts=names)
    other = [name for name in NAMES if answers[name] not in WORDS]
    check(not other, f"what is said about {', '.join(other)} is none of the three words", facts=tuple(other))
    return answers


@pytest.mark.shape
@pytest.mark.enforces("The four do not all behave alike.")
def test_predictions_have_the_asked_form(student):
    """A dict with one of three words for each of the four names; the four modules are not all alike."""
    answers = said(student)
    word = answers["plain"]
    check(len({answers[name] for name in NAMES}) > 1, f"all four modules are called {word}", facts=(word,))


def judge(student, name, right):
    word = said(student)[name]
    check(word == right, f'you say of the module "{name}": {word}', facts=(name, word))


@pytest.mark.values
@pytest.mark.needs("test_predictions_have_the_asked_form")
def test_prediction_for_plain_attention(student):
    """Plain self-attention gets the word that describes it."""
    judge(student, "plain", "equivariant")


@pytest.mark.values
@pytest.mark.needs("test_predictions_have_the_asked_form")
def test_prediction_for_causal_attention(student):
    """Causal self-attention gets the word that describes it."""
    judge(student, "causal", "neither")


@pytest.mark.values
@pytest.mark.needs("test_predictions_have_the_asked_form")
def test_prediction_for_pooled_attention(student):
    """Self-attention with a mean over the tokens gets the word that describes it."""
    judge(student, "pooled", "invariant")


@pytest.mark.values
@pytest.mark.needs("test_predictions_have_the_asked_form")
def test_prediction_for_attention_with_positions(student):
    """Self-attention over tokens with positions gets the word that describes it."""
    judge(student, "positioned", "neither")
