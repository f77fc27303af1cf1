"""The context vectors of Exercise 3.2 for the book's sentence, one feature a head."""

import torch

from softmarks.pictures import Heatmap
from softmarks.testing import push

WORDS = ("Your", "journey", "starts", "with", "one", "step")
INPUTS = [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]
WEIGHTS = {
    "heads.0.W_query.weight": [[-0.235430, 0.019124, -0.286746]],
    "heads.0.W_key.weight": [[0.217727, -0.491934, 0.423223]],
    "heads.0.W_value.weight": [[-0.419641, -0.459018, -0.364820]],
    "heads.1.W_query.weight": [[0.261478, -0.213326, 0.216052]],
    "heads.1.W_key.weight": [[-0.490014, -0.350292, -0.211989]],
    "heads.1.W_value.weight": [[-0.113461, -0.440439, 0.378044]],
}
WRAPPER = """
import torch
from building_blocks import CausalAttention
from torch import nn

class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        sizes = d_in, d_out, context_length, dropout, qkv_bias
        self.heads = nn.ModuleList(CausalAttention(*sizes) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)

def fitting(wrapper, weights):
    state = wrapper.state_dict()
    return [name for name in weights if name in state and state[name].shape == weights[name].shape]
"""


def show(student):
    """The context vectors of the wrapper that the program builds for the book's batch."""
    space = student.define(WRAPPER)
    batch = torch.tensor([INPUTS, INPUTS])
    wrapper = student.two_dimensional_wrapper(space.MultiHeadAttentionWrapper, batch)
    weights = {name: torch.tensor(weight) for name, weight in WEIGHTS.items()}
    push(wrapper, {name: weights[name] for name in space.fitting(wrapper, weights)})
    context = wrapper.eval()(batch)[0]
    rows = WORDS if context.shape[0] == len(WORDS) else ()
    columns = ("head 0", "head 1") if context.shape[-1] == 2 else ()
    title = "Context vectors with the weights of seed 123"
    return [Heatmap(title, context, row_axis="token", column_axis="feature", rows=rows, columns=columns)]
