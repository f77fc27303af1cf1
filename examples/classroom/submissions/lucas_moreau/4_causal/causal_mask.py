# %% [markdown]
# # The causal mask, before and after the softmax
#
# 25 minutes; three functions of one to four lines. Builds on `scaled_dot_product`.
#
# A model that predicts the next token must not look at it. **Causal attention** lets the query of token
# $i$ use the keys $j \le i$ and no others: in the table of weights, all that lies right of the diagonal
# is forbidden. Two ways lead there, and they give the same weights:
#
# - *after* the softmax: set the weights of the future to 0, then divide each row by what is left of it.
#   In the book's second row "Your" and "journey" have 0.2041 and 0.1659; 0.3700 is left, and the row
#   becomes 0.2041 / 0.3700 = 0.5517 and 0.1659 / 0.3700 = 0.4483;
# - *before* the softmax: set the scores of the future to $-\infty$. As $e^{-\infty} = 0$, one softmax
#   does it all. With $S$ for the scores that are masked in this way,
#   $$\text{weights} = \text{softmax}\left(S / \sqrt{d_k}\right)$$
#
# New here is the mask. A token always sees itself, so the diagonal stays free and no row is ever empty.
#
# **Mask convention.** A mask of this course is boolean, and `True` means *blocked*. Torch's own
# `scaled_dot_product_attention` and the lecture use the reverse, `True` (or 1) for *visible*.

# %%
import torch


# %%
def causal_mask(num_tokens, device=None):
    """Say for each query (row) which keys (columns) it must not see.

    Shapes: num_tokens -> (num_tokens, num_tokens), dtype torch.bool
    Steps:
        1. a square of True on the given device
        2. keep what lies strictly above the diagonal
    Example:
        >>> causal_mask(3)
        tensor([[False,  True,  True],
                [False, False,  True],
                [False, False, False]])

    Mask convention: True = blocked
    Errors: none to raise
    """
    raise NotImplementedError("causal_mask: return a boolean (tokens, tokens) mask on the given device")


# %%
def mask_after_softmax(weights):
    """Take the future out of finished attention weights, and share each row out again.

    Leave the tensor that you are given as it is: return a new one. To work on a GPU too, make the mask on
    the device of the weights.

    Shapes: weights (..., tokens, tokens), each row sums to 1 -> the same shape
    Steps:
        1. set the weights of the future to 0
        2. divide each row by its sum
    Example:
        >>> row = [0.2, 0.3, 0.5]
        >>> mask_after_softmax(torch.tensor([row, row, row]))
        tensor([[1.0000, 0.0000, 0.0000],
                [0.4000, 0.6000, 0.0000],
                [0.2000, 0.3000, 0.5000]])

    Mask convention: True = blocked
    Errors: none to raise
    """
    raise NotImplementedError("mask_after_softmax: zero the future weights and renormalise the rows")


# %%
def mask_before_softmax(scores, d_k):
    """Turn raw attention scores into causal attention weights with one softmax.

    Block before the softmax: the result must be right for very large scores too, where a row that was
    normalised first may have nothing left of its past. Leave the tensor that you are given as it is, and
    make the mask on the device of the scores.

    Shapes: scores (..., tokens, tokens), d_k an int (the size of a key) -> weights (..., tokens, tokens)
    Steps:
        1. put minus infinity (or a number that acts like it) in the place of the future scores
        2. divide by the square root of d_k
        3. softmax over the keys
    Example:
        >>> mask_before_softmax(torch.tensor([[0.0, 9.0], [0.0, 2.1972]]), d_k=4)
        tensor([[1.0000, 0.0000],
                [0.2500, 0.7500]])

    Mask convention: True = blocked
    Errors: none to raise
    """
    raise NotImplementedError("mask_before_softmax: block the future scores, scale, softmax")
