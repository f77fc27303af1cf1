# %% [markdown]
# # Bonus: attention with linear biases
#
# 25 minutes, about 8 lines. Builds on `causal_attention`; `rotary_encoding` is another way to the same end.
#
# ALiBi (Press, Smith and Lewis, *Train Short, Test Long*, 2022) leaves embeddings, queries and keys alone,
# and takes something off each score instead: the further back a key lies, the more. With $s_{qk}$ for the
# scaled score of the query at position $q$ with the key at $k$, and $m$ for the **slope** of a head:
#
# $$ s_{qk} - m\,(q - k) \qquad \text{for } k \le q $$
#
# Each head has its own slope, and none is learned: of $n$ heads the first has $2^{-8/n}$, and each next one
# is the one before it times the same number. So the first head loses the past quickly, the last one hardly.
#
# Worked numbers: 8 heads have 1/2, 1/4, 1/8, … 1/256. With 4 heads the first slope is $2^{-8/4} = 0.25$
# and the last $0.25^4 = 0.0039$; a key two tokens back costs the first head 0.5, the token itself nothing.
#
# New here: a bias for each head, (heads, tokens, tokens), that fits the scores of a whole batch. It is no
# mask: later keys get 0, and hiding them stays the work of the causal mask.

# %%
import torch


# %%
def alibi_slopes(n_heads):
    """How much each head takes off a score for each token of distance.

    Shapes: n_heads -> tensor (n_heads,) of float32, all positive, the largest first
    Steps:
        1. refuse a number of heads that is no power of two
        2. head h, counted from 1, has 2^(-8 h / n_heads)
    Example:
        >>> alibi_slopes(4)
        tensor([0.2500, 0.0625, 0.0156, 0.0039])

    Errors: an n_heads that is no power of two (1, 2, 4, 8, …) raises ValueError; implementations differ
        there, so it is left out here
    """
    ### BEGIN SOLUTION return one slope for each head
    if n_heads < 1 or 2 ** (n_heads.bit_length() - 1) != n_heads:
        raise ValueError(f"n_heads is {n_heads}, which is no power of two")
    head = torch.arange(1, n_heads + 1)  # (heads,)
    return 2.0 ** (-8 * head / n_heads)
    ### END SOLUTION


# %%
def alibi_bias(n_heads, num_tokens):
    """What is added to the scaled scores of each head, before the mask and the softmax.

    Shapes: n_heads, num_tokens -> tensor (n_heads, num_tokens, num_tokens) of float32, a row for each query
    Steps:
        1. how many tokens each key lies before each query: q - k
        2. for k <= q minus the slope of the head times that distance
        3. 0 for later keys: the causal mask is separate
    Example:
        >>> alibi_bias(4, 3)[0]
        tensor([[ 0.0000,  0.0000,  0.0000],
                [-0.2500,  0.0000,  0.0000],
                [-0.5000, -0.2500,  0.0000]])

    Errors: those of alibi_slopes
    """
    ### BEGIN SOLUTION return the bias of each head for each pair of tokens
    slopes = alibi_slopes(n_heads)  # (heads,)
    position = torch.arange(num_tokens)  # (tokens,)
    distance = position[:, None] - position[None, :]  # (tokens, tokens), q - k
    back = distance.clamp(min=0)  # later keys are no distance away
    return slopes[:, None, None] * -back  # (heads, tokens, tokens)
    ### END SOLUTION
