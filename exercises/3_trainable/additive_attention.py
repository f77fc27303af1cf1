# %% [markdown]
# # Additive attention, as the first decoder had it
#
# 40 minutes, about 12 lines. Builds on `scaled_dot_product` (the mask) and `self_attention_v2` (layers).
#
# A recurrent encoder-decoder hands one vector of fixed size from the sentence that it reads to the one that
# it writes. Bahdanau, Cho and Bengio (*Neural machine translation by jointly learning to align and
# translate*, arXiv 2014, ICLR 2015) let the decoder look back instead. Before it writes word $i$ it has the
# state $s_{i-1}$, and compares it with **every** encoder state $h_j$:
#
# $$e_j = v^\top \tanh(W_s\, s_{i-1} + W_h\, h_j)$$
#
# The weights are the softmax of $e$ over the encoder positions $j$; the context is the sum of the $h_j$
# themselves, each times its weight. As $W_s s$ and $W_h h_j$ are *added*, this is **additive attention**.
#
# Worked numbers, with every size 1 and every weight 1: for $s = 0$ and $h = 0, 1$ the scores are
# $\tanh 0 = 0$ and $\tanh 1 = 0.7616$, the weights 0.3183 and 0.6817, and the context 0.6817.
#
# New here: a score that is a small network; queries (the decoder's) and keys (the encoder's) of different
# sizes; no scale, since tanh is never larger than 1.
#
# **Mask convention.** `True` means *blocked*, here a padded encoder position. It gets the weight 0. If all
# positions of a sentence are blocked, its weights and its context are 0, and gradients are finite.

# %%
import torch
from torch import nn


# %%
class AdditiveAttention(nn.Module):
    """Let one decoder state of each sentence gather context from all encoder states of that sentence.

    The three layers are nn.Linear, have no bias and are called W_s, W_h and v:
        W_s: d_decoder -> d_attention, W_h: d_encoder -> d_attention, v: d_attention -> 1
    Shapes:
        decoder_state (batch, d_decoder), encoder_states (batch, tokens, d_encoder)
        mask: None (nothing is blocked), or boolean (batch, tokens)
        returns the pair context (batch, d_encoder), weights (batch, tokens); batches and sentences of one too
        Both have the dtype and the device of the encoder states.
    Steps:
        1. in __init__: the three layers
        2. project the decoder state, and all encoder states at once
        3. add them: the one decoder state of a sentence to each of its encoder states
        4. tanh, then v makes one score an encoder state
        5. block, softmax over the encoder positions, block again, as in `scaled_dot_product`
        6. the weighted sum of the encoder states
    Example:
        >>> attention = AdditiveAttention(d_decoder=1, d_encoder=1, d_attention=1)
        >>> for weight in attention.parameters():
        ...     weight = nn.init.ones_(weight)
        >>> context, weights = attention(torch.tensor([[0.0]]), torch.tensor([[[0.0], [1.0]]]))
        >>> weights.detach()
        tensor([[0.3183, 0.6817]])
        >>> context.detach()
        tensor([[0.6817]])

    Mask convention: True = blocked
    Errors: none to raise
    """

    def __init__(self, d_decoder, d_encoder, d_attention):
        super().__init__()
        raise NotImplementedError("AdditiveAttention.__init__: make the layers W_s, W_h and v, without bias")

    def forward(self, decoder_state, encoder_states, mask=None):
        raise NotImplementedError("AdditiveAttention.forward: return the context (batch, d_encoder) and the weights (batch, tokens)")
