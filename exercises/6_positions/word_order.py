# %% [markdown]
# # Does attention know the order of words?
#
# 25 minutes, three functions of about 3 lines each. Builds on `self_attention_v2` and `causal_attention`.
#
# "Dog bites man" and "man bites dog" have the same words. Does attention notice the difference? Two
# properties are often mixed up. Let $P$ put the tokens of $x$ into another order:
#
# $$ \text{equivariant: } f(Px) = P f(x) \qquad\qquad \text{invariant: } f(Px) = f(x) $$
#
# An *equivariant* module reorders its output along with its input: each token gets the same vector as
# before, at its new place. An *invariant* one gives the same result, place by place, for every order.
# You write two functions that measure by how much a module misses each property, and then use them.
#
# A worked number: $f$ gives each token the sum of all tokens up to it, as a causal module might. From
# $x = (1, 2, 4)$ it makes $(1, 3, 7)$. The order $(2, 0, 1)$ turns $x$ into $(4, 1, 2)$, and $f$ makes
# $(4, 5, 7)$ of it. Equivariance asks for $(7, 1, 3)$: off by 3, 4, 4, so the error is 4. Invariance
# asks for $(1, 3, 7)$: off by 3, 2, 0, so the error is 3. This $f$ is neither.
#
# New here: a claim about *all* inputs. One error that is not 0 refutes it; an error of 0 (up to rounding)
# for one order and one $x$ does not prove it. The third function says what you found out about four modules
# that are given. Think first, then measure.

# %%
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


# %%
class Plain(nn.Module):
    """Self-attention without a mask: (batch, tokens, d_model) -> (batch, tokens, d_model)."""

    def __init__(self, d_model):
        super().__init__()
        self.W_query = nn.Linear(d_model, d_model, bias=False)
        self.W_key = nn.Linear(d_model, d_model, bias=False)
        self.W_value = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=False):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return scaled_dot_product_attention(queries, keys, values, is_causal=causal)


class Causal(Plain):
    """Self-attention in which no token sees a later one."""

    def forward(self, x):
        return super().forward(x, causal=True)


class Pooled(Plain):
    """Plain self-attention, then the mean over the tokens: (batch, tokens, d_model) -> (batch, d_model)."""

    def forward(self, x):
        return super().forward(x).mean(dim=1)


class Positioned(Plain):
    """A different number for each position is added to the tokens, then plain self-attention."""

    def forward(self, x):
        position = torch.arange(x.shape[1], device=x.device)
        return super().forward(x + torch.sin(position).unsqueeze(1))


# %%
def equivariance_error(module, x, permutation):
    """The largest absolute difference between module(Px) and P module(x).

    P puts the tokens into the given order: token i of Px is token permutation[i] of x, in every
    sequence of the batch; its features stay in their order. The largest difference is that over all
    sequences, tokens and features. Leave x as it is.

    Shapes:
        module: anything that is called with x and gives (batch, tokens, any number of features)
        x (batch, tokens, features), float32 or float64
        permutation (tokens,), a LongTensor that holds each of 0 … tokens - 1 once
        returns one number: a float or a tensor without dimensions
    Steps:
        1. reorder the tokens, then apply the module
        2. apply the module, then reorder the tokens in the same way
        3. the largest absolute difference of the two
    Example:
        >>> x, order = torch.tensor([[[1.0], [2.0], [4.0]]]), torch.tensor([2, 0, 1])
        >>> float(equivariance_error(lambda x: x.cumsum(dim=1), x, order))
        4.0
        >>> float(equivariance_error(lambda x: 10 * x, x, order))
        0.0

    Errors: none to raise
    """
    raise NotImplementedError("equivariance_error: return the largest difference between module(Px) and P module(x)")


# %%
def invariance_error(module, x, permutation):
    """The largest absolute difference between module(Px) and module(x).

    P, x and permutation are those of `equivariance_error`. Here the module may give a tensor of any
    shape, with or without a dimension for tokens, or a single number without dimensions. That number is
    a tensor too; yours may be a Python float or a tensor without dimensions.

    Shapes: as above -> one number, a float or a tensor without dimensions
    Steps:
        1. the module applied to the reordered tokens
        2. the module applied to x as it is
        3. the largest absolute difference of the two, over all entries
    Example:
        >>> x, order = torch.tensor([[[1.0], [2.0], [4.0]]]), torch.tensor([2, 0, 1])
        >>> float(invariance_error(lambda x: x.cumsum(dim=1), x, order))
        3.0
        >>> float(invariance_error(lambda x: x.sum(dim=1), x, order))
        0.0

    Errors: none to raise
    """
    raise NotImplementedError("invariance_error: return the largest difference between module(Px) and module(x)")


# %%
def predictions():
    """What each of the four given modules is: "equivariant", "invariant" or "neither".

    A word describes the module for every x, every order and any weights that it may be trained to. The
    four do not all behave alike. Try them: make a module of each class with d_model=4, say, and give it
    and a few orders to your two functions.

    Returns: a dict with the keys "plain", "causal", "pooled" and "positioned" for the classes of
        these names; each value is one of the three words
    Errors: none to raise
    """
    raise NotImplementedError("predictions: return a dict with one of the three words for each of the four modules")
