# %% [markdown]
# # Multi-head attention that takes a mask
#
# 30 minutes, about 11 lines. Builds on `scaled_dot_product` and `multi_head_attention`.
#
# So far the module knew its mask: the future. An encoder, the part of a translator that reads, sees
# everything but padding, the filler that makes sequences equally long and differs from one to the next; the
# decoder, which writes, needs both masks. So the mask becomes an argument of `forward`:
#
# $$\text{weights} = \text{softmax}\left(\text{mask}(QK^\top / \sqrt{d_k})\right) \quad \text{in each head,}$$
#
# where a blocked key gets no weight. If a query has the scaled scores 0, 1 and 2, and the third key is
# blocked, its weights are 0.2689, 0.7311 and 0.
#
# New here are three shapes of masks, each for all heads alike. (tokens, tokens) is one table for all
# sequences; (batch, 1, tokens) says for each sequence which of its keys are padding, to all its queries;
# (batch, tokens, tokens) is a table for each sequence. Any other shape is refused, because broadcasting
# would accept some of them and block the wrong thing.
#
# Take care of a query with **every key blocked**. Its row of minus infinities becomes `nan`, and replacing
# `nan` afterwards may repair the weights and leave it in the gradients. Two lines do it right:
#
# 1. before the softmax, fill blocked scores with the lowest finite number, `torch.finfo(scores.dtype).min`;
# 2. after it, set blocked weights to 0. Such a query has all-zero weights then, and finite gradients.
#
# `True` means blocked, as always here. The lecture and torch's `scaled_dot_product_attention` use the
# reverse.

# %%
import torch
from torch import nn


# %%
class MaskedMultiHeadAttention(nn.Module):
    """Multi-head attention whose mask is an argument, and which returns its weights too.

    Without a mask every token sees every token. Leave x and mask as they are: return new tensors.
    Moved to another device or number type, it works there, in that type.

    Shapes: x (batch, tokens, d_model), mask None or a boolean tensor of shape (tokens, tokens),
            (batch, 1, tokens) or (batch, tokens, tokens)
        -> output (batch, tokens, d_model), weights (batch, n_heads, tokens, tokens)
    Steps:
        1. scores of all pairs of tokens in each head, divided by the square root of d_k
        2. refuse a mask of any other shape; give a mask with a batch dimension one for the heads
        3. the two lines of the statement, with the softmax between them
        4. the weighted sums of the values, the heads side by side in their order, W_O
    Example:
        >>> attention = MaskedMultiHeadAttention(d_model=2, n_heads=1)
        >>> for layer in (attention.W_Q, attention.W_K, attention.W_V, attention.W_O):
        ...     layer.weight = nn.Parameter(torch.eye(2))
        >>> x = torch.tensor([[[0.0, 2.0], [1.0, 0.0]]])
        >>> mask = torch.tensor([[False, True], [True, True]])
        >>> output, weights = attention(x, mask)
        >>> output.detach()
        tensor([[[0., 2.],
                 [0., 0.]]])
        >>> weights.detach()
        tensor([[[[1., 0.],
                  [0., 0.]]]])

    Mask convention: True = blocked; a row with every key blocked gets all-zero weights
    Errors: a mask of any other shape raises ValueError
    """

    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError(f"{n_heads} heads cannot share {d_model} features equally")
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=False)
        self.W_K = nn.Linear(d_model, d_model, bias=False)
        self.W_V = nn.Linear(d_model, d_model, bias=False)
        self.W_O = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        batch, tokens, _ = x.shape
        split = (batch, tokens, self.n_heads, self.d_k)
        queries = self.W_Q(x).view(split).transpose(1, 2)  # (batch, heads, tokens, d_k)
        keys = self.W_K(x).view(split).transpose(1, 2)  # (batch, heads, tokens, d_k)
        values = self.W_V(x).view(split).transpose(1, 2)  # (batch, heads, tokens, d_k)
        raise NotImplementedError("MaskedMultiHeadAttention.forward: return the output and the weights of all heads")
