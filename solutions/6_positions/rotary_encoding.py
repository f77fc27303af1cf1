# %% [markdown]
# # Bonus: rotary positional encoding
#
# 35 minutes, about 10 lines. Builds on `sinusoidal_encoding`.
#
# A sinusoidal encoding is added to the embeddings. A **rotary** encoding (RoPE; Su et al., *RoFormer*, 2021)
# adds nothing: it *rotates* each query and each key by an angle that grows with the token's position. Values
# stay as they are. The score of a query at position $p$ with a key at position $q$ then knows the distance
# $p - q$, and neither $p$ nor $q$: two hands of a clock that turn on together keep the angle between them.
#
# In two dimensions a rotation needs one angle, so the head's dimensions go in pairs $(2i, 2i+1)$, and pair
# $i$ turns by $\theta = p \cdot 10000^{-2i/d}$, with $d$ for `head_dim`: the angles that you know.
#
# $$ y_{2i} = x_{2i}\cos\theta - x_{2i+1}\sin\theta \qquad y_{2i+1} = x_{2i}\sin\theta + x_{2i+1}\cos\theta $$
#
# A worked number: with `head_dim=4`, at position 2, the angles are 2 and $2 \cdot 10000^{-2/4} = 0.02$, so
# $(1, 0, 1, 0)$ becomes $(\cos 2, \sin 2, \cos 0.02, \sin 0.02) = (-0.4161, 0.9093, 0.9998, 0.0200)$.
#
# New here: positions are given, so they may have gaps, repeat, or come in any order. Some libraries pair
# dimension $i$ with $i + d/2$ instead. That is another encoding: **pairs are neighbours here**.

# %%
import torch


# %%
def apply_rotary(x, positions):
    """Rotate each pair of dimensions of queries or keys by an angle that grows with the token's position.

    x is not changed: the result is a new tensor. Gradients flow through it to x.

    Shapes: x (..., tokens, head_dim), positions (tokens,) of integers -> the same shape, dtype and device
        as x; any leading dimensions, such as none, (batch,) or (batch, heads)
    Steps:
        1. one frequency a pair, 10000^(-2i / head_dim); one angle for each token and pair
        2. split x into the first and the second dimensions of its pairs
        3. rotate, and put the two dimensions of each pair side by side again
        Work out the angles in float32 or better: bfloat16 cannot tell position 257 from 256. New tensors go
        to the device of x, where positions are too.
    Example:
        >>> x = torch.tensor([[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
        >>> apply_rotary(x, torch.tensor([0, 2]))
        tensor([[ 1.0000,  0.0000,  1.0000,  0.0000],
                [-0.4161,  0.9093,  0.9998,  0.0200]])

    Errors: an odd head_dim raises ValueError
    """
    head_dim = x.shape[-1]
    ### BEGIN SOLUTION return x with each pair of dimensions rotated
    if head_dim % 2 == 1:
        raise ValueError(f"head_dim is {head_dim}: an odd number leaves one dimension without a partner")
    exponent = torch.arange(0, head_dim, 2, device=x.device) / head_dim  # (pairs,)
    frequency = 10000.0**-exponent  # radians a token
    angle = positions.unsqueeze(-1) * frequency  # (tokens, pairs)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # each (..., tokens, pairs)
    new_first = first * cos - second * sin
    new_second = first * sin + second * cos
    return torch.stack((new_first, new_second), dim=-1).flatten(-2)  # side by side again
    ### END SOLUTION
