# %% [markdown]
# # Exercise 3.2: two heads, two features
#
# 10 minutes, about 2 lines. Builds on `multi_head_wrapper`.
#
# The book calls its wrapper with `d_out=2` and `num_heads=2`, and gets context vectors of four features.
# Change the arguments, and nothing else, so that two heads give *two* features:
#
# $$\text{features of the context} = d_{out} \cdot \text{num\_heads}$$
#
# A worked number: with `d_out=4` and `num_heads=3` it is 4 · 3 = 12.
#
# New here: you write no layer, you choose the arguments of one that exists. The class of the wrapper is
# handed to you, with the signature of `multi_head_wrapper`:
#
# `wrapper_class(d_in, d_out, context_length, dropout, num_heads, qkv_bias=False)`
#
# Some of these numbers are a choice, others follow from the batch that the wrapper has to take.


# %%
def two_dimensional_wrapper(wrapper_class, batch):
    """Build a wrapper with two heads whose context vectors for this batch have two features.

    Return the wrapper, not its output.

    Shapes: batch (batch, tokens, d_in); for the returned wrapper, wrapper(batch) is (batch, tokens, 2)
    Arguments:
        wrapper_class is called with (d_in, d_out, context_length, dropout, num_heads, qkv_bias=False).
        The returned wrapper is an instance of it, with num_heads=2 and the d_out that gives two features.
        The dropout is 0.0, and qkv_bias stays at its default (to pass False is fine too).
        The context_length is enough for the tokens of the batch, or more.
    Example:
        >>> import torch
        >>> class Noting:
        ...     def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        ...         print(f"{d_in} inputs, {num_heads} heads, dropout {dropout}")
        >>> wrapper = two_dimensional_wrapper(Noting, torch.zeros(2, 6, 3))
        3 inputs, 2 heads, dropout 0.0

    Errors: none to raise
    """
    ### BEGIN SOLUTION return a wrapper with two heads that gives two features
    _, num_tokens, d_in = batch.shape
    d_out = 1  # features of one head
    return wrapper_class(d_in, d_out, num_tokens, 0.0, num_heads=2)
    ### END SOLUTION
