# %% [markdown]
# # Sinusoidal positional encoding
#
# 40 minutes, about 10 lines. Builds on `causal_attention` (buffers, shorter inputs) and `attention_dropout`.
#
# Attention without a mask treats its input as a set: shuffle the tokens, and the outputs are shuffled in
# the same way. So that order counts, each position gets a vector, which is added to the token's embedding,
# the vector that stands for the token in `x`:
#
# $$ PE(pos,\, 2i) = \sin\frac{pos}{10000^{2i/d}} \qquad PE(pos,\, 2i+1) = \cos\frac{pos}{10000^{2i/d}} $$
#
# Here $i$ counts *pairs* of dimensions, not dimensions, and $d$ is `d_model`. Each pair is the hand of a
# clock. The first turns by 1 radian a token, the later ones ever more slowly: **low dimensions are fine,
# high ones are coarse**. One turn takes $2\pi \cdot 10000^{2i/d}$ tokens, the *wavelength* of the pair.
#
# Worked numbers for `d_model=4`, position 1: the first pair is $\sin 1 = 0.8415$, $\cos 1 = 0.5403$; the
# second has $10000^{2/4} = 100$, so $\sin 0.01 = 0.0100$, $\cos 0.01 = 0.99995$. Wavelengths: 6.28 and 628.3.
#
# New here: a table from a formula, with two functions taking turns, and odd widths. With an odd `d_model`
# the last dimension is a sine whose cosine is missing; its $i$ and $d$ are those of the formula. Nothing is
# trained: the table is a buffer. The dropout is given, and acts on the sum.

# %%
import math

import torch
from torch import nn


# %%
def wavelengths(d_model):
    """How many tokens one turn of each sine and cosine pair takes, the fastest pair first.

    Shapes: d_model -> tensor (ceil(d_model / 2),), one entry a pair; an odd d_model ends in a sine alone
    Steps:
        1. the even dimensions 0, 2, 4, … are the 2i of the formula
        2. one turn is 2 pi radians, and pair i turns by 1 / 10000^(2i / d_model) radians a token
    Example:
        >>> wavelengths(4)
        tensor([  6.2832, 628.3185])

    Errors: none for d_model >= 1
    """
    ### BEGIN SOLUTION return the wavelength in tokens of each pair
    twice_i = torch.arange(0, d_model, 2)  # (pairs,)
    return 2 * math.pi * 10000.0 ** (twice_i / d_model)
    ### END SOLUTION


# %%
class SinusoidalPE(nn.Module):
    """Add to each token the encoding of its position, then apply dropout to the sum.

    The sum is a new tensor: x keeps its values. The dropout rests in eval mode. A buffer moves with the
    module to another device.

    Shapes: x (batch, tokens, d_model) -> the same shape and dtype, for any tokens <= max_len
    Steps:
        1. in __init__: positions 0 … max_len - 1 and the pairs' frequencies give the angles
        2. sines into the even dimensions, cosines into the odd ones; d_model may be odd
        3. register the table as the buffer `pe`, (max_len, d_model) or (1, max_len, d_model); no parameters
        4. in forward: add the rows of the first `tokens` positions to every sequence of the batch
    Example:
        >>> encoding = SinusoidalPE(d_model=4, max_len=10).eval()
        >>> encoding(torch.zeros(1, 2, 4))
        tensor([[[0.0000, 1.0000, 0.0000, 1.0000],
                 [0.8415, 0.5403, 0.0100, 0.9999]]])

    Errors: an input with more than max_len tokens raises (any ordinary exception; adding a table that is
        too short does so by itself, but a table of one row fits any number of tokens)
    """

    def __init__(self, d_model=512, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        ### BEGIN SOLUTION register the buffer pe, a table of sines and cosines
        position = torch.arange(max_len).unsqueeze(1)  # (max_len, 1)
        exponent = torch.arange(0, d_model, 2) / d_model  # (pairs,)
        frequency = torch.exp(-math.log(10000.0) * exponent)  # radians a token
        angle = position * frequency  # (max_len, pairs)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(angle)
        pe[:, 1::2] = torch.cos(angle[:, : d_model // 2])  # an odd width has no last cosine
        self.register_buffer("pe", pe)
        ### END SOLUTION

    def forward(self, x):
        num_tokens = x.shape[1]
        ### BEGIN SOLUTION set x to the input plus the encodings of its positions
        encoding = self.pe[:num_tokens]  # (tokens, d_model)
        x = x + encoding  # the same for every sequence of the batch
        ### END SOLUTION
        return self.dropout(x)
