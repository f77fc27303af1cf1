# %% [markdown]
# # Exercise 3.1: give two attention classes the same weights
#
# 20 minutes, about 4 lines. Builds on `self_attention_v1` and `self_attention_v2`.
#
# `SelfAttention_v1` keeps each projection as a bare `nn.Parameter`; `SelfAttention_v2` keeps it as an
# `nn.Linear` without bias. With the same input they print different numbers, and the only reason is
# that they start from different weights. Give v1 the weights of v2, and the two agree.
#
# What stands in the way is how each class stores a matrix. For an input row $x$:
#
# $$ \text{v1: } q = x\,W \qquad\qquad \text{v2: } q = x\,A^\top $$
#
# where $A$ is what the `nn.Linear` calls its `weight`. A worked number: with
# $A = \begin{pmatrix} 1 & 2 & 3 \\ 4 & 5 & 6 \end{pmatrix}$ and $x = (1, 0, 0)$, v2 gives $q = (1, 4)$.
# In v1 this $x$ picks out the first row of $W$, so that row must be $(1, 4)$.
#
# New here: writing into a module that already exists. Under `torch.no_grad()` a parameter's method
# `copy_` overwrites its numbers without autograd recording it, so that v1 can still be trained afterwards.
# Beware of square matrices: with `d_in == d_out` a wrong layout has the right shape, and no error tells you.

# %%
import torch


# %%
def transfer_weights(v2, v1):
    """Give v1 the weights of v2, in place, so that both compute the same function.

    Shapes:
        v2.W_query.weight, v2.W_key.weight, v2.W_value.weight -> as nn.Linear(d_in, d_out) stores them
        v1.W_query, v1.W_key, v1.W_value -> nn.Parameter, each (d_in, d_out)
        returns None: the change is in v1

    Steps:
        1. Match the three matrices by name; the modules may have made them in another order.
        2. Turn each one into the layout of v1.
        3. Write it into v1, with the numbers and the dtype of v2. The three stay Parameters of v1
           that can be trained, and v2 stays as it is.
        v2 has no biases. Whether v1 and v2 share memory afterwards is up to you.

    Example:
        >>> from torch import nn
        >>> v2, v1 = nn.Module(), nn.Module()
        >>> for name in ("W_query", "W_key", "W_value"):
        ...     setattr(v2, name, nn.Linear(3, 2, bias=False))
        ...     setattr(v1, name, nn.Parameter(torch.rand(3, 2)))
        >>> _ = v2.W_query.load_state_dict({"weight": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])})
        >>> transfer_weights(v2, v1)
        >>> v1.W_query.tolist()
        [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]

    Errors:
        none: v1 and v2 always fit each other
    """
    raise NotImplementedError("transfer_weights: give v1 the weights of v2, in place")
