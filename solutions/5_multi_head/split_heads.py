# %% [markdown]
# # Split features into heads, and merge them again
#
# 25 minutes; two functions of three or four lines. Builds on `multi_head_wrapper`.
#
# A stack of heads multiplies the input by many small matrices. The usual form multiplies it by one large
# one, and cuts the result into heads of `head_dim = d_model / num_heads` features, where `d_model` is the
# width of the result (`d_out` in `multi_head_attention`). Then the heads stand where a batch would stand:
# with (batch, heads, tokens, head_dim), one `@` works for all heads at once.
#
# $$\text{split}(x)_{b,\,h,\,t,\,i} = x_{b,\,t,\ h \cdot \text{head\_dim} + i}$$
#
# A token with the features 10, 11, 12, 13, 14, 15 and 3 heads: head 0 gets 10 and 11, head 1 gets 12 and
# 13, head 2 gets 14 and 15. That is what concatenated heads look like, head 0 first.
#
# New here: two operations that are easily mixed up.
#
# - `view` and `reshape` read all numbers *in order*, and cut them into rows of other lengths;
# - `transpose` swaps two dimensions, and so changes the order.
#
# To cut each token's features is a matter of order; to bring the heads before the tokens is not. After a
# `transpose` the numbers lie in memory as before, and `view` may refuse to read them: `reshape`, or
# `contiguous()` first, copies them where that is needed.

# %%
import torch


# %%
def split_heads(x, num_heads):
    """Cut the features of each token into num_heads parts, and bring the heads before the tokens.

    Head h holds the features from h * head_dim up to, not including, (h + 1) * head_dim.

    Shapes: x (batch, tokens, d_model) -> (batch, num_heads, tokens, head_dim), head_dim = d_model / num_heads
    Steps:
        1. refuse a num_heads that does not divide d_model
        2. cut the features of each token: (batch, tokens, num_heads, head_dim)
        3. swap tokens and heads
    Example:
        >>> x = torch.tensor([[[10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]]])  # two tokens
        >>> split_heads(x, num_heads=3)
        tensor([[[[10, 11],
                  [20, 21]],
        <BLANKLINE>
                 [[12, 13],
                  [22, 23]],
        <BLANKLINE>
                 [[14, 15],
                  [24, 25]]]])

    Errors: a num_heads that does not divide d_model raises ValueError (or another ordinary exception)
    """
    ### BEGIN SOLUTION return the heads, (batch, num_heads, tokens, head_dim)
    batch, num_tokens, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be split into {num_heads} heads")
    head_dim = d_model // num_heads
    cut = x.reshape(batch, num_tokens, num_heads, head_dim)
    return torch.transpose(cut, 1, 2)  # (batch, num_heads, tokens, head_dim)
    ### END SOLUTION


# %%
def merge_heads(x):
    """Put the features of all heads side by side again, head 0 first: the inverse of split_heads.

    It works whatever the layout of x in memory: on a new tensor, and on one that was transposed before.

    Shapes: x (batch, num_heads, tokens, head_dim) -> (batch, tokens, num_heads * head_dim)
    Steps:
        1. swap heads and tokens back
        2. join the last two dimensions
    Example:
        >>> x = torch.tensor([[[[10, 11], [20, 21]], [[12, 13], [22, 23]]]])  # two heads, two tokens
        >>> merge_heads(x)
        tensor([[[10, 11, 12, 13],
                 [20, 21, 22, 23]]])

    Errors: none to raise
    """
    ### BEGIN SOLUTION return the features of all heads, (batch, tokens, num_heads * head_dim)
    batch, num_heads, num_tokens, head_dim = x.shape
    by_token = torch.transpose(x, 1, 2)  # (batch, tokens, num_heads, head_dim)
    return by_token.reshape(batch, num_tokens, num_heads * head_dim)
    ### END SOLUTION
