# %% [markdown]
# # Dropout on attention weights
#
# 25 minutes, about 7 lines. Builds on `causal_mask`.
#
# **Dropout** removes attention weights at random while a model is trained, so that no token can rely on
# always seeing one certain other token. Each weight is set to 0 with probability `rate`, whatever happens
# to the others. To make up for the lost ones, the survivors grow:
#
# $$w' = 0 \ \text{ with probability } p, \qquad w' = \frac{w}{1 - p} \ \text{ otherwise}$$
#
# With $p$ = 0.2 a weight of 0.4 becomes 0 or 0.4 / 0.8 = 0.5. Its mean is 0.2 · 0 + 0.8 · 0.5 = 0.4, as
# before. That holds for the mean alone: in a single draw a row of weights does not sum to 1.
#
# New here:
#
# - random tensors: `torch.rand_like(t)` draws numbers from 0 to 1 in the shape, dtype and device of `t`.
#   Such a number is below $p$ with probability $p$;
# - two modes. Outside training nothing is dropped and nothing is scaled.
#
# Write it by hand: torch's own dropout (`nn.Dropout`, `functional.dropout` and all its relatives) is not
# allowed here. Which weights vanish under a seed differs between platforms, so no check looks at that: only
# at how many, how independently, and at what becomes of the others.

# %%
import torch


# %%
def attention_dropout(weights, rate, training):
    """Drop attention weights at random while training, and enlarge the ones that stay.

    Leave the tensor that you are given as it is: what you return has its shape, number type and device.

    Shapes: weights (..., tokens, tokens), rate a number from 0 to 1, training a bool -> the same shape
    Steps:
        1. refuse a rate that is no probability
        2. outside training return the weights as they are
        3. draw anew in every call, for every single weight, whether it is dropped
        4. divide the survivors by 1 - rate, and put 0 in the place of the others
        With a rate of 0 all weights stay as they are; with a rate of 1 the result is zeros, without nan.
        Gradients flow through the survivors.
    Example:
        >>> weights = torch.tensor([[1.0, 0.0], [0.4, 0.6]])
        >>> attention_dropout(weights, 0.2, training=False)
        tensor([[1.0000, 0.0000],
                [0.4000, 0.6000]])
        >>> attention_dropout(torch.full((50, 50), 0.4), 0.2, training=True).unique()
        tensor([0.0000, 0.5000])

    Errors: a rate below 0 or above 1 raises ValueError
    """
    ### BEGIN SOLUTION return the weights with some of them dropped and the others enlarged
    if not 0 <= rate <= 1:
        raise ValueError(f"rate is a probability, from 0 to 1, and not {rate}")
    if not training:
        return weights
    if rate == 1:
        return torch.zeros_like(weights)
    draws = torch.rand_like(weights)  # (..., tokens, tokens), from 0 to 1
    dropped = draws < rate
    scaled = weights / (1 - rate)
    return scaled.masked_fill(dropped, 0.0)
    ### END SOLUTION
