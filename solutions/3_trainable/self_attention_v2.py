# %% [markdown]
# # Self-attention on linear layers
#
# 20 minutes, about 6 lines. Builds on `self_attention_v1`.
#
# A matrix that multiplies the input is what PyTorch calls a linear layer. With **`nn.Linear`** in place of
# a bare parameter, the class says what it is made of, takes biases if you want them, and starts from
# numbers that were chosen with care.
#
# $$\text{layer}(x) = x A^\top + b$$
#
# `nn.Linear(d_in, d_out)` stores $A$ as `weight`, of shape (d_out, d_in): the other way round than in
# `self_attention_v1`. You call the layer, `layer(x)`, and need not know that. With `d_in` = 3 and `d_out` = 2
# a layer has 6 numbers in its weight and 2 in its bias, so the class has 18 parameters, or 24 with biases.
#
# New here:
#
# - `qkv_bias` says whether the three layers have a bias. The book's models leave it out, so it is False
#   unless asked for;
# - initial values. `torch.rand` gives numbers between 0 and 1, all of one sign. `nn.Linear` draws them
#   between $-1/\sqrt{d_{in}}$ and $1/\sqrt{d_{in}}$, so that the results keep a moderate size.
#
# The attention itself is given: in `forward` replace the `raise`, and keep the lines after it. The class
# computes the same function as `SelfAttention_v1`, and prints other numbers only because it starts from
# other weights.

# %%
import torch
from torch import nn


# %%
class SelfAttention_v2(nn.Module):
    """Give each token a context vector: the values of all tokens, weighted by its query and their keys.

    Shapes: x (tokens, d_in) -> context (tokens, d_out)
            x (batch, tokens, d_in) -> context (batch, tokens, d_out), each sequence on its own
    Steps:
        1. in __init__: three nn.Linear layers from d_in to d_out called W_query, W_key and W_value;
           they have a bias if qkv_bias is True, and none if it is False
        2. in forward: queries, keys and values, each from the layer of its name
        3. the attention, which is given
        All that the module keeps moves with it to another device, and the result has the dtype of x.
    Example:
        >>> attention = SelfAttention_v2(d_in=3, d_out=2)
        >>> [(name, tuple(weight.shape)) for name, weight in attention.named_parameters()]
        [('W_query.weight', (2, 3)), ('W_key.weight', (2, 3)), ('W_value.weight', (2, 3))]
        >>> attention(torch.zeros(6, 3)).shape
        torch.Size([6, 2])

    Errors: none to raise
    """

    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        ### BEGIN SOLUTION make the layers W_query, W_key and W_value
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION compute queries, keys and values; the lines below are given
        queries = self.W_query(x)  # (..., tokens, d_out)
        keys = self.W_key(x)  # (..., tokens, d_out)
        values = self.W_value(x)  # (..., tokens, d_out)
        ### END SOLUTION
        scores = queries @ keys.transpose(-2, -1)  # (..., tokens, tokens)
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)  # each row sums to 1
        return weights @ values  # (..., tokens, d_out)
