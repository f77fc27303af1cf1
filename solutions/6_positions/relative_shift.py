# %% [markdown]
# # Moving on by a few tokens is a rotation
#
# 30 minutes, about 9 lines. A bonus. Builds on `sinusoidal_encoding`.
#
# Why does the sinusoidal table hold sines *and* cosines? Because a pair of them is a point on a circle,
# and moving on by $k$ tokens turns it by the same angle wherever it is. So for each distance $k$ there is
# one matrix, the same for every position $p$, which takes each encoding to the one $k$ tokens later:
#
# $$ PE(p + k) = M_k\, PE(p) $$
#
# Encodings are *columns* here, and the matrix stands on the left. Pair $i$ (dimensions $2i$ and $2i + 1$,
# sine first, as in `sinusoidal_encoding`) has turned by $a = p\,\omega_i$ at position $p$, with
# $\omega_i = 10000^{-2i/d}$, and turns by another $b = k\,\omega_i$. School mathematics says what follows:
# $\sin(a + b) = \sin a \cos b + \cos a \sin b$ and $\cos(a + b) = \cos a \cos b - \sin a \sin b$. Both are
# linear in $\sin a$ and $\cos a$: that makes a block of 2 by 2 numbers for each pair, and 0 elsewhere.
#
# Worked numbers for `d_model=2`: $PE(0) = (0, 1)$, so the second column of $M_1$ is
# $PE(1) = (0.8415, 0.5403)$; and $M_1$ takes $PE(1)$ to $PE(2) = (0.9093, -0.4161)$.
#
# New here: a matrix that is built from blocks. What is linear is the *step*. The distance $k$ is no linear
# function of the two encodings, although one reads that now and then.

# %%
import torch


# %%
def shift_matrix(offset, d_model):
    """The matrix M with PE(p + offset) = M PE(p) for every position p.

    PE is the encoding of `sinusoidal_encoding`, with sines in the even and cosines in the odd dimensions,
    as a column of d_model numbers. M depends on the offset and d_model alone.

    Shapes: offset an int, also 0 or negative (a step back), d_model an even int
        -> tensor (d_model, d_model), float32 or float64
    Steps:
        1. the angle by which each pair turns in offset tokens
        2. into the block of each pair: how its new sine and its new cosine depend on the old ones
        3. no pair touches another one: 0 outside of the blocks
    Example:
        >>> M = shift_matrix(1, 4)
        >>> M.float() @ torch.tensor([0.0, 1.0, 0.0, 1.0])
        tensor([0.8415, 0.5403, 0.0100, 0.9999])

    What follows, and can be used to check: M keeps lengths (its transpose is its inverse), M of offset 0
    changes nothing, and M of 3 times M of 4 is M of 7.

    Errors: an odd d_model raises ValueError (its last sine has no cosine, and there is no such matrix)
    """
    ### BEGIN SOLUTION return the (d_model, d_model) matrix that moves encodings on by offset tokens
    if d_model % 2 != 0:
        raise ValueError(f"d_model is {d_model}; without its cosine the last sine cannot be moved on")
    sines = torch.arange(0, d_model, 2)  # (pairs,), the even dimensions
    cosines = sines + 1
    frequency = 10000.0 ** (-sines / d_model)  # radians a token
    angle = offset * frequency  # (pairs,)
    matrix = torch.zeros(d_model, d_model)
    matrix[sines, sines] = torch.cos(angle)
    matrix[sines, cosines] = torch.sin(angle)
    matrix[cosines, sines] = -torch.sin(angle)
    matrix[cosines, cosines] = torch.cos(angle)
    return matrix
    ### END SOLUTION
