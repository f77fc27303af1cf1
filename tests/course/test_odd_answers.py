"""Answers that are no answers: whatever a program returns gets few points and breaks no suite."""

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.grading.workers import Worker
from tests.conftest import ROOT

COURSE = load_course(ROOT)
EXERCISES = [exercise.name for exercise in COURSE.exercises if not room(COURSE, ROOT, exercise.name).is_sheet]
OFTEN = 1  # odd answers an exercise that every run of the tests tries; `make audit` tries all

ODD = {
    "nothing": "None",
    "a text": "'nan'",
    "a number": "1.5",
    "no number": "float('nan')",
    "a huge number": "2**70",
    "a list": "[1, 2, 3]",
    "two tensors": "(torch.zeros(2), torch.zeros(3))",
    "an empty dict": "{}",
    "an object": "object()",
    "a class": "torch.nn.Linear",
    "a single number in a tensor": "torch.tensor(0.0)",
    "an empty tensor": "torch.zeros(0)",
    "a tensor without numbers": "torch.empty(2, 7, 12, device='meta')",
    "a complex tensor": "torch.zeros(2, 7, 12, dtype=torch.complex64)",
    "a sparse tensor": "torch.zeros(7, 7).to_sparse()",
    "a tensor of the first argument's shape without numbers": (
        "next((torch.empty_like(a, device='meta') for a in given if isinstance(a, torch.Tensor)), None)"
    ),
    "a tensor of truth": "torch.ones(7, 7, dtype=torch.bool)",
    "infinity": "torch.full((2, 9, 12), float('inf'))",
    "an object equal to everything": "type('All', (), {'__eq__': lambda s, o: True, '__hash__': None})()",
    "a tensor that lies": (
        "torch.zeros(2, 9, 12).as_subclass(type('Lies', (torch.Tensor,), {'__torch_function__': "
        "classmethod(lambda c, f, t, a=(), k=None: True)}))"
    ),
}

REPLACED = """

import torch as torch

def _odd(*given, **more):
    return {odd}

for _name in {answers!r}:
    if isinstance(globals()[_name], type):
        globals()[_name].forward = _odd
    else:
        globals()[_name] = _odd
"""


@pytest.fixture(scope="module")
def worker(own_cache):
    """A worker that grades the course."""
    with Worker(ROOT, "required") as worker:
        yield worker


def pairs():
    """Every exercise with every odd answer; all but a few are marked as long, others for each exercise."""
    for row, name in enumerate(EXERCISES):
        for column, odd in enumerate(ODD):
            often = (column + 7 * row) % len(ODD) < OFTEN
            yield pytest.param(name, odd, marks=() if often else pytest.mark.long, id=f"{name}-{odd}")


@pytest.mark.parametrize(("name", "odd"), list(pairs()))
def test_an_odd_answer_gets_few_points_and_breaks_nothing(worker, name, odd):
    """The right program but for what it returns: a verdict, at most a fifth of the points."""
    exercise = COURSE.exercise(name)
    source = room(COURSE, ROOT, name).reference()
    source += REPLACED.format(odd=ODD[odd], answers=list(exercise.answers))
    verdict = worker.mark(name, [source])
    assert verdict.status == "graded", verdict.note
    assert verdict.points <= verdict.max_points / 5
