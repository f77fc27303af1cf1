"""Whether a program follows the device is seen without one: also of a program that needs its numbers."""

import pytest

from softmarks.grading.program import Code, Program
from softmarks.grading.student import CheckFailed, StudentRaised
from softmarks.sandbox.client import InProcess
from softmarks.testing import assert_follows_device, sample

NEEDS_NUMBERS = """
import torch
from torch import nn
import numpy as np


def chosen(x):
    stays = x > 0
    result = torch.zeros_like(x)
    result[stays] = x[stays]
    return result


def by_numpy(x):
    table = torch.from_numpy(np.ones(x.shape[-1])).to(x)
    return x * table if x.sum().item() > 0 else x + table


def left_behind(x):
    stays = x > 0
    extra = torch.ones(x.shape[-1])
    return x[stays].sum() + extra


def fresh_result(x):
    return torch.tensor([float(x.max()), float(x.min())])


def through_the_cpu(x):
    return x.cpu()[x.cpu() > 0].sum() * torch.ones(3)


def to_the_cpu(x):
    return torch.zeros(3, device="cpu") + x.to("cpu").sum().item()


class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(5))
        self.register_buffer("mask", torch.tensor([True, False, True, True, False]))
        self.last = None

    def forward(self, x):
        self.last = x[..., self.mask.nonzero().flatten()]
        return self.last.sum(-1, keepdim=True) * self.weight


class Leaves(Keeps):
    def forward(self, x):
        return super().forward(x) + torch.arange(5)


class Breaks(Keeps):
    def forward(self, x):
        raise ValueError("meta is the word of no device here") if x.shape else x
"""


@pytest.fixture
def names():
    """The program above, and the session that asks it."""
    program = Program(Code("needs_numbers", (NEEDS_NUMBERS,), {}), InProcess, 0)
    session, names = program.check()
    with session.current():
        yield names
    program.close()


@pytest.mark.parametrize("name", ["chosen", "by_numpy"])
def test_right_functions(names, name):
    """All that they make is made from their input, or moved to it."""
    assert_follows_device(getattr(names, name), sample(2, 5))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("left_behind", "mixes tensors of two devices"),
        ("fresh_result", "the result is not on the device"),
        ("through_the_cpu", "the result is not on the device"),
        ("to_the_cpu", "the result is not on the device"),
    ],
)
def test_wrong_functions(names, name, said):
    """A tensor that is made on the CPU, or brought there, is seen."""
    with pytest.raises(CheckFailed, match=said):
        assert_follows_device(getattr(names, name), sample(2, 5))


def test_modules(names):
    """So it is with modules, and trying leaves them as they were."""
    module = names.Keeps()
    assert_follows_device(module, sample(2, 5))
    with pytest.raises(CheckFailed, match=r"add in line \d+ mixes"):
        assert_follows_device(names.Leaves(), sample(2, 5))


def test_an_error_of_its_own_stays_one(names):
    """Only an error about the meta device asks for another way to look."""
    with pytest.raises(StudentRaised, match="word of no device"):
        assert_follows_device(names.Breaks(), sample(2, 5))
