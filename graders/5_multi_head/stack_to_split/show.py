"""Where the rows of two heads end up: marked with the number of their head."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import push

CLASSES = """
import torch
from torch import nn

NAMES = ("W_query", "W_key", "W_value")

def module(d_in, d_out):
    made = nn.Module()
    for name in NAMES:
        setattr(made, name, nn.Linear(d_in, d_out, bias=False))
    return made

def wrapper():
    made = nn.Module()
    made.heads = nn.ModuleList(module(4, 3) for _ in range(2))
    return made

def attention():
    made = module(4, 6)
    made.out_proj = nn.Linear(6, 6)
    return made

def weight_of(module, name):
    return getattr(module, name).weight
"""


def show(student):
    """Head 0 holds numbers near 1, head 1 near 2; other numbers were in the module before."""
    given = student.define(CLASSES)
    wrapper, attention = given.wrapper(), given.attention()
    steps = torch.arange(12.0).reshape(3, 4) / 50
    for name in ("W_query", "W_key", "W_value"):
        push(wrapper, {f"heads.0.{name}.weight": 1 + steps, f"heads.1.{name}.weight": 2 + steps})
        push(attention, {f"{name}.weight": torch.zeros(6, 4)})
    push(attention, {"out_proj.weight": torch.full((6, 6), 0.5), "out_proj.bias": torch.ones(6)})
    student.stack_to_split(wrapper, attention)
    rows = ["head 0"] * 3 + ["head 1"] * 3
    panels = []
    for name, columns in (("W_query", 4), ("out_proj", 6)):
        weight = given.weight_of(attention, name)
        if isinstance(weight, torch.Tensor) and tuple(weight.shape) == (6, columns):
            title, axis = f"attention.{name}.weight", "input"
            panels.append(Heatmap(title, weight.detach(), row_axis="output", column_axis=axis, rows=rows))
    return panels
