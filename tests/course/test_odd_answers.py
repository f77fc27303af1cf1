"""Answers that are no answers: whatever a program returns gets few points and breaks no suite."""

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from tests.conftest import ROOT

COURSE = load_course(ROOT)
EXERCISES = [exercise.name for exercise in COURSE.exercises if not room(COURSE, ROOT, exercise.name).is_sheet]
OFTEN = "relative_shift"  # where each is tried in a host too; in the other exercises `make audit` does

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


def returns(name, odd):
    """The right program of an exercise, but for what it returns."""
    answers = list(COURSE.exercise(name).answers)
    return room(COURSE, ROOT, name).reference() + REPLACED.format(odd=ODD[odd], answers=answers)


@pytest.mark.parametrize("name", EXERCISES)
def test_no_odd_answer_breaks_a_suite(course_worker, name):
    """Each gets at most a fifth of the points, and an end that is not the grader's fault."""
    points = course_worker.points(name, [(returns(name, odd), 0) for odd in ODD])
    most = COURSE.exercise(name).points / 5
    assert {odd: got for odd, got in zip(ODD, points, strict=True) if got is None or got > most} == {}


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        pytest.param(name, odd, marks=() if name == OFTEN else pytest.mark.long, id=f"{name}-{odd}")
        for name in EXERCISES
        for odd in ODD
    ],
)
def test_a_verdict_on_an_odd_answer(course_worker, name, odd):
    """It crosses from the host, gets the same points as without one, and is told."""
    source = returns(name, odd)
    verdict = course_worker.mark(name, [source])
    assert verdict.status == "graded", verdict.note
    assert [verdict.points] == course_worker.points(name, [(source, 0)])
    assert verdict.messages
