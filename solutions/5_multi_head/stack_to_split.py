# %% [markdown]
# # From a stack of heads to split weights
#
# 25 minutes, about 8 lines. Builds on `multi_head_wrapper`, `split_heads` and `multi_head_attention`; the
# idea is that of `transfer_weights`.
#
# A wrapper with a stack of heads and a module with split weights are two ways to write the same attention. To
# see it, give the second the weights of the first. Each head of the wrapper has layers of its own, and an
# `nn.Linear` stores one row for each output. The module expects the features of head 0 first, then those of
# head 1, and so on:
#
# $$A = \begin{pmatrix} A_0 \\ A_1 \\ \vdots \end{pmatrix} \qquad
# xA^\top = \left(xA_0^\top,\; xA_1^\top,\; \dots\right)$$
#
# where $A_h$ is the `weight` of head $h$ and $A$ that of the module. A worked number: with
# $A_0 = (1 \;\; 2)$, $A_1 = (3 \;\; 4)$ and $x = (1, 1)$ the heads give 3 and 7, and $A$ gives $(3, 7)$.
#
# New here: the module does one thing more than the wrapper, its `out_proj`. The two compute the same function
# only if that layer hands on what it gets: its weight must be the identity matrix, and its bias zero.

# %%
import torch
from torch import nn


# %%
def stack_to_split(wrapper, attention):
    """Give a module with split weights the weights of a stack of heads, so that both compute the same.

    Shapes:
        wrapper.heads -> an nn.ModuleList; each head has the layers W_query, W_key and W_value, each an
            nn.Linear(d_in, head_dim)
        attention.W_query, attention.W_key, attention.W_value -> nn.Linear(d_in, d_out), where d_out is
            the number of heads times head_dim
        attention.out_proj -> nn.Linear(d_out, d_out), with a bias
        returns None: the change is in attention

    Steps:
        1. For each of the three names, put the weights of all heads into that of attention, along the
           outputs, in the order of the heads.
        2. Do the same with the biases, if the layers have them. Either all of them have one, or none.
        3. Make out_proj hand on its input: the identity for its weight, zeros for its bias.
        All layers stay in attention as nn.Linear that can be trained. Both modules come with the same
        dtype, float32 or float64; it stays, and no digit is lost. The wrapper stays as it is.

    Example:
        >>> wrapper, attention = nn.Module(), nn.Module()
        >>> wrapper.heads = nn.ModuleList([nn.Module(), nn.Module()])
        >>> for name in ("W_query", "W_key", "W_value"):
        ...     for head, row in zip(wrapper.heads, ([1.0, 2.0], [3.0, 4.0])):
        ...         setattr(head, name, nn.Linear(2, 1, bias=False))
        ...         getattr(head, name).weight = nn.Parameter(torch.tensor([row]))
        ...     setattr(attention, name, nn.Linear(2, 2, bias=False))
        >>> attention.out_proj = nn.Linear(2, 2)
        >>> stack_to_split(wrapper, attention)
        >>> attention.W_query.weight.tolist()
        [[1.0, 2.0], [3.0, 4.0]]
        >>> attention.out_proj.weight.tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Errors: none: wrapper and attention always fit each other
    """
    ### BEGIN SOLUTION give attention the weights of the heads, in place
    with torch.no_grad():  # a copy, not a step that gradients flow through
        for name in ("W_query", "W_key", "W_value"):
            layers = [getattr(head, name) for head in wrapper.heads]
            split = getattr(attention, name)
            stacked = torch.cat([layer.weight for layer in layers])  # (d_out, d_in)
            split.weight.copy_(stacked)
            if split.bias is not None:
                biases = torch.cat([layer.bias for layer in layers])  # (d_out,)
                split.bias.copy_(biases)
        nn.init.eye_(attention.out_proj.weight)
        nn.init.zeros_(attention.out_proj.bias)
    ### END SOLUTION
