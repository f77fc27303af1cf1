# %% [markdown]
# # Multi-head attention with weight splits
#
# 45 minutes, about 14 lines. Builds on `causal_attention`, `multi_head_wrapper` and `split_heads`.
#
# The wrapper runs its heads one after another, and each makes queries, keys and values of its own. Here one
# projection of width `d_out` serves all heads, and its features are split: with
# `head_dim = d_out / num_heads`, head $h$ works on the features $h \cdot$ `head_dim` up to (not including)
# $(h + 1) \cdot$ `head_dim` of queries, keys and values.
#
# $$\text{head}_h = \text{dropout}\left(\text{softmax}\left(\text{mask}(Q_h K_h^\top) /
# \sqrt{\text{head\_dim}}\right)\right)V_h$$
#
# and the output is `out_proj` of all heads, side by side.
#
# With `d_out = 8` and two heads, `head_dim` is 4. If a query of one head has the scores 0 and 2, they become
# 0 and 1, and the weights are 0.2689 and 0.7311. (Divided by $\sqrt 8$ they would be 0.3302 and 0.6698.)
#
# New here:
#
# - the heads become a dimension in front of the tokens, like a second batch, so that one batched product
#   gives the scores of all heads. The number of operations must not grow with num_heads: no loop over heads;
# - `out_proj`, an `nn.Linear` from `d_out` to `d_out` with a bias, mixes what the heads have found;
# - write the attention yourself: `nn.MultiheadAttention` and `scaled_dot_product_attention` of torch are
#   forbidden in this exercise.
#
# The projections, the dropout and the buffer `mask` (`True` means blocked) are given.

# %%
import torch
from torch import nn


# %%
class MultiHeadAttention(nn.Module):
    """Let several heads gather context side by side, each with weights of its own, and mix what they found.

    A token sees itself and the tokens before it, in its own sequence alone. Dropout acts on the weights of
    each head, in train mode only. Moved to another device or number
    type, it works there, in that type.

    Shapes: x (batch, tokens, d_in) -> (batch, tokens, d_out), for any tokens <= context_length
    Steps:
        1. in __init__: refuse a d_out that num_heads does not divide; make out_proj
        2. split queries, keys and values into heads, (batch, heads, tokens, head_dim)
        3. scores of all heads at once; block the future; divide by the square root of head_dim; softmax
        4. dropout on the weights, then the weighted sums of the values
        5. bring the heads back behind the tokens, side by side and in their order, and apply out_proj
    Example:
        >>> attention = MultiHeadAttention(d_in=2, d_out=2, context_length=4, dropout=0.0, num_heads=2)
        >>> for layer in (attention.W_query, attention.W_key, attention.W_value, attention.out_proj):
        ...     layer.weight = nn.Parameter(torch.eye(2))
        >>> attention.out_proj.bias = nn.Parameter(torch.zeros(2))
        >>> attention(torch.tensor([[[0.0, 0.0], [1.0, 0.0], [2.0, 3.0]]])).detach()
        tensor([[[0.0000, 0.0000],
                 [0.7311, 0.0000],
                 [1.8509, 2.9993]]])

    Mask convention: True = blocked
    Errors: MultiHeadAttention(...) raises if num_heads does not divide d_out; an input with more than
        context_length tokens raises (any ordinary exceptions)
    """

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        every_pair = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(every_pair, diagonal=1))  # (context_length, context_length)
        raise NotImplementedError("MultiHeadAttention.__init__: refuse sizes that do not fit, and make out_proj")

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        queries = self.W_query(x)  # (batch, tokens, d_out)
        keys = self.W_key(x)  # (batch, tokens, d_out)
        values = self.W_value(x)  # (batch, tokens, d_out)
        raise NotImplementedError("MultiHeadAttention.forward: return the output of all heads, of shape (batch, tokens, d_out)")
