# %% [markdown]
# # A compact causal attention class
#
# 45 minutes, about 9 lines. Builds on `self_attention_v2`, `causal_mask` and `attention_dropout`.
#
# The pieces become one module that a language model can use: it takes a **batch** of sequences, hides the
# future from every token, and drops attention weights while it is trained.
#
# $$\text{context} = \text{dropout}\big(\text{softmax}\big(\text{mask}(QK^\top) / \sqrt{d_k}\big)\big)V$$
#
# Take tokens of one number, 0, 1, 2, and projections that change nothing. The second token has the scores
# 0 and 1 for its past and itself, the weights 0.2689 and 0.7311, the context 0.7311. What follows cannot
# change it.
#
# New here:
#
# - the input is (batch, tokens, d_in), so to transpose the keys means to swap their *last two*
#   dimensions;
# - the mask is a **buffer** called `mask`, made once, for `context_length` tokens: it moves with the
#   module to another device. Boolean or float, saved with the weights or not: both are right;
# - an input may be shorter than `context_length`, and then needs a part of the mask only;
# - dropout acts on the weights, after the softmax, and rests in `eval` mode.
#
# The projections are given. (`True` means blocked, as always here. You may call torch's own
# `scaled_dot_product_attention`, but its mask, like the lecture's, is the reverse.)

# %%
import torch
from torch import nn


# %%
class CausalAttention(nn.Module):
    """Let each token of a batch of sequences gather context from itself and the tokens before it.

    Moved to another device or number type, it works there, in that type.

    Shapes: x (batch, tokens, d_in) -> context (batch, tokens, d_out), for any tokens <= context_length
    Steps:
        1. in __init__: keep an nn.Dropout (it is allowed again), and register the mask for context_length
           tokens as the buffer `mask`, with self.register_buffer(name, tensor)
        2. scores of all pairs of tokens, within each sequence
        3. block the future before the softmax, with the part of the mask that the input needs
        4. divide by the square root of the size of a key, softmax over the keys
        5. dropout on the weights, then the weighted sum of the values
    Example:
        >>> attention = CausalAttention(d_in=1, d_out=1, context_length=4, dropout=0.0)
        >>> for weight in attention.parameters():
        ...     weight = nn.init.ones_(weight)
        >>> attention(torch.tensor([[[0.0], [1.0], [2.0]]])).detach()
        tensor([[[0.0000],
                 [0.7311],
                 [1.8509]]])

    Mask convention: True = blocked
    Errors: an input with more than context_length tokens raises (any ordinary exception; a slice of the
        buffer that is too small does so by itself, but a 1 x 1 mask fits any number of tokens)
    """

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        ### BEGIN SOLUTION keep the dropout and register the buffer mask
        self.dropout = nn.Dropout(dropout)
        every_pair = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(every_pair, diagonal=1))  # (context_length, context_length)
        ### END SOLUTION

    def forward(self, x):
        queries = self.W_query(x)  # (batch, tokens, d_out)
        keys = self.W_key(x)  # (batch, tokens, d_out)
        values = self.W_value(x)  # (batch, tokens, d_out)
        ### BEGIN SOLUTION return context vectors of shape (batch, tokens, d_out)
        num_tokens = x.shape[1]
        scores = queries @ keys.transpose(1, 2)  # (batch, tokens, tokens)
        future = self.mask[:num_tokens, :num_tokens]  # (tokens, tokens)
        masked = scores.masked_fill(future, -torch.inf)
        scaled = masked / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)  # each row sums to 1
        dropped = self.dropout(weights)
        return dropped @ values  # (batch, tokens, d_out)
        ### END SOLUTION
