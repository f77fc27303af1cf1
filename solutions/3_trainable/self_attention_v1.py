# %% [markdown]
# # Self-attention as a class of its own
#
# 30 minutes, about 10 lines. Builds on `scaled_dot_product`.
#
# So far queries, keys and values were handed to you. In **self-attention** all three are made from the
# same tokens, each by a matrix of its own, and training changes these matrices. They are *weight
# parameters*; the *attention weights* are computed anew for every input.
#
# $$Q = XW_q, \quad K = XW_k, \quad V = XW_v, \qquad
# \text{context} = \text{softmax}\big(QK^\top / \sqrt{d_k}\big)\,V$$
#
# In the book's example the query of "journey" and its key have the dot product 1.8524. With $d_k = 2$ this
# becomes 1.8524 / 1.4142 = 1.3098, and the softmax over all six tokens makes it the weight 0.2264.
#
# New here:
#
# - a class derived from `nn.Module`: `__init__` makes what lasts, `forward` computes with one input;
# - `self.name = nn.Parameter(tensor)` makes a tensor a part of the module: it is trained, saved and moved
#   with it. The numbers it starts with are up to you; the book takes `torch.rand(d_in, d_out)`;
# - the input may be one sequence or a batch of them. Transpose the keys in their *last two* dimensions.
#
# Nothing is masked. Write the attention out, as in `scaled_dot_product`: torch's ready-made attention
# (`nn.MultiheadAttention`, `functional.scaled_dot_product_attention`) is not allowed in this exercise.

# %%
import torch
from torch import nn


# %%
class SelfAttention_v1(nn.Module):
    """Give each token a context vector: the values of all tokens, weighted by its query and their keys.

    Shapes: x (tokens, d_in) -> context (tokens, d_out)
            x (batch, tokens, d_in) -> context (batch, tokens, d_out), each sequence on its own
    Steps:
        1. in __init__: three parameters of shape (d_in, d_out) called W_query, W_key and W_value
        2. queries, keys and values: x times each of them
        3. scores of all pairs of tokens, divided by the square root of the size of a key
        4. softmax over the keys, then the weighted sum of the values
        The result has the dtype of x and is finite for large inputs too.
    Example:
        >>> attention = SelfAttention_v1(d_in=1, d_out=1)
        >>> for weight in attention.parameters():
        ...     weight = nn.init.ones_(weight)
        >>> attention(torch.tensor([[0.0], [1.0], [2.0]])).detach()
        tensor([[1.0000],
                [1.5752],
                [1.8509]])

    Errors: none to raise
    """

    def __init__(self, d_in, d_out):
        super().__init__()
        ### BEGIN SOLUTION make the parameters W_query, W_key and W_value
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION return context vectors of shape (..., tokens, d_out)
        queries = x @ self.W_query  # (..., tokens, d_out)
        keys = x @ self.W_key  # (..., tokens, d_out)
        values = x @ self.W_value  # (..., tokens, d_out)
        scores = queries @ keys.transpose(-2, -1)  # (..., tokens, tokens)
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)  # each row sums to 1
        return weights @ values  # (..., tokens, d_out)
        ### END SOLUTION
