"""What there is to see in rnn_bottleneck: what arrives from far away, and its price."""

import torch

from softmarks.pictures import Curves
from softmarks.testing import push

TOKENS = 40
LENGTHS = [1, 2, 5, 10, 20, 40, 80]

GIVEN = """
import torch
from torch import nn

def recurrent(size, nonlinearity):
    return nn.RNN(size, size, nonlinearity=nonlinearity, bias=False, batch_first=True)

class Attention(nn.Module):
    def forward(self, x):
        scores = x @ x.transpose(1, 2) / x.shape[-1] ** 0.5
        states = torch.softmax(scores, dim=-1) @ x
        return states, states[None, :, -1]
"""


def number(value):
    """The value where it is a number; not a number where it is something else."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if plain else torch.nan


def by_distance(norms):
    """The norms of one sentence, the last token first."""
    fits = isinstance(norms, torch.Tensor) and tuple(norms.shape) == (1, TOKENS)
    if not fits:
        return torch.full((TOKENS,), torch.nan, dtype=torch.float64)
    return norms[0].detach().double().flip(dims=(0,))


def norms_of(student):
    """The norms of three networks that multiply by a number, of one with tanh, and of attention."""
    size, given = 4, student.define(GIVEN)
    x = torch.linspace(0.1, 1.0, TOKENS * size).reshape(1, TOKENS, size)
    eye, curves = torch.eye(size), {}
    for factor in (0.9, 1.0, 1.1):
        rnn = given.recurrent(size, "relu")
        push(rnn, {"weight_ih_l0": eye / size**0.5, "weight_hh_l0": factor * eye})
        curves[f"RNN, {factor} a step"] = by_distance(student.input_gradient_norms(rnn, x))
    rnn = given.recurrent(size, "tanh")
    push(rnn, {"weight_ih_l0": eye / size**0.5, "weight_hh_l0": eye})
    waves = 0.3 * torch.sin(7 * x)  # quiet: tanh damps, but something arrives
    curves["RNN with tanh"] = by_distance(student.input_gradient_norms(rnn, waves))
    curves["attention"] = by_distance(student.input_gradient_norms(given.Attention(), waves))
    return curves


def counts(ask):
    """A count for each length."""
    return torch.tensor([number(ask(tokens)) for tokens in LENGTHS], dtype=torch.float64)


def show(student):
    """Gradient norms over distance, and the three counts over the length of the sentence."""
    both = ("rnn", "attention")
    paths = {name: counts(lambda tokens, name=name: student.longest_path(name, tokens)) for name in both}
    memories = {
        name: counts(lambda tokens, name=name: student.decoder_memory(name, tokens, 16)) for name in both
    }
    distances = [float(distance) for distance in range(TOKENS)]
    says = "What the last state hears of a token"
    return [
        Curves(says, norms_of(student), distances, "tokens ago", "gradient norm", logarithmic=True),
        Curves("Steps from the first token to the last", paths, LENGTHS, "tokens", "steps"),
        Curves("What a decoder can consult, hidden size 16", memories, LENGTHS, "tokens", "numbers"),
        Curves(
            "Scores to compute", {"attention": counts(student.score_entries)}, LENGTHS, "tokens", "scores"
        ),
    ]
