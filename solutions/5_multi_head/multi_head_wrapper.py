# %% [markdown]
# # Heads side by side
#
# 25 minutes, about 2 lines. Builds on `causal_attention`.
#
# One head has one set of weights for each token: it can look for one kind of relation at a time.
# **Multi-head attention** runs several heads on the same input, each with its own projections, and puts
# their context vectors side by side:
#
# $$\text{context} = \big[\,\text{head}_0(x),\ \text{head}_1(x),\ \dots\,\big]$$
#
# In the book's example two heads give the first token the contexts (-0.4519, 0.2216) and (0.4772,
# 0.1063). Together: (-0.4519, 0.2216, 0.4772, 0.1063), head 0 first. With 2 features a head and 2 heads
# that makes 4, in general `d_out * num_heads`: here `d_out` is the size of *one* head.
#
# New here:
#
# - the heads are kept in an `nn.ModuleList` called `heads`. A plain Python list would hide them from the
#   module: their weights would not be trained, saved or moved, and `eval` would not reach them;
# - each head is a `CausalAttention` of its own. Every head gets all of the input, starts from its own
#   random weights, and draws its own dropout.
#
# `CausalAttention` is given, as `causal_attention` asks for it.

# %%
import torch
from building_blocks import CausalAttention
from torch import nn


# %%
class MultiHeadAttentionWrapper(nn.Module):
    """Run several causal attention heads on the same input, and put their contexts side by side.

    Shapes: x (batch, tokens, d_in) -> context (batch, tokens, d_out * num_heads)
    Steps:
        1. in __init__: make num_heads heads, and keep them as the nn.ModuleList `heads`
        2. in forward: give x to each head
        3. concatenate their contexts along the features, head 0 first
    Arguments:
        d_out is the number of features of one head. Sizes, context_length, dropout and qkv_bias are
        handed on to every head as they are. The heads have the only parameters.
    Example:
        >>> wrapper = MultiHeadAttentionWrapper(d_in=1, d_out=1, context_length=4, dropout=0.0, num_heads=2)
        >>> for weight in wrapper.parameters():
        ...     weight = nn.init.ones_(weight)
        >>> weight = nn.init.constant_(wrapper.heads[1].W_value.weight, -2.0)
        >>> wrapper(torch.tensor([[[0.0], [1.0], [2.0]]])).detach()
        tensor([[[ 0.0000,  0.0000],
                 [ 0.7311, -1.4621],
                 [ 1.8509, -3.7019]]])

    Errors: an input with more than context_length tokens raises (the heads do that by themselves)
    """

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        ### BEGIN SOLUTION make num_heads heads and keep them in the nn.ModuleList heads
        heads = []
        for _ in range(num_heads):
            head = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
            heads.append(head)
        self.heads = nn.ModuleList(heads)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION return context vectors of shape (batch, tokens, d_out * num_heads)
        contexts = [head(x) for head in self.heads]  # each (batch, tokens, d_out)
        return torch.cat(contexts, dim=-1)  # (batch, tokens, d_out * num_heads)
        ### END SOLUTION
