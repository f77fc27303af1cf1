# %% [markdown]
# # Bonus: attention from one sequence to another
#
# 35 minutes, about 25 lines. Builds on `multi_head_attention` and `masked_multi_head`.
#
# A transformer that translates has two sequences: the **source**, which its encoder has read, and the
# **target**, which its decoder writes. In the *encoder-decoder attention* of Vaswani et al. (*Attention Is
# All You Need*, 2017, section 3.2.3), now called **cross-attention**, queries come from the target; keys and
# values come from the source. For the features of each head:
#
# $$Q = X_{target} W_Q, \quad K = X_{source} W_K, \quad V = X_{source} W_V, \qquad
# \text{head} = \text{softmax}\big(QK^\top / \sqrt{d_k}\big)\,V$$
#
# It is what `additive_attention` did, with dot products, for all target tokens at once and in several heads.
#
# Worked numbers: a target of one token, the number 1, and three source tokens (0, 10), (1, 20), (2, 30). Let
# W_K take the first number, W_V the second, and W_Q and W_O change nothing. The scores are 0, 1, 2, the
# weights 0.0900, 0.2447, 0.6652, and the output is 25.7521. If the third source token is padding, the
# weights are 0.2689, 0.7311, 0, and the output is 17.3106.
#
# New here:
#
# - the two sequences may differ in length and in width. A row of scores is a query from the target, a column
#   a key from the source; there are as many outputs as target tokens;
# - no future is blocked: the whole source is there before the first word of the target is written. The mask
#   says which source tokens are padding, for each sentence;
# - `True` means blocked, as always here. A sentence whose source is blocked altogether gets zeros, and finite
#   gradients.

# %%
import torch
from torch import nn


# %%
class CrossAttention(nn.Module):
    """Let each target token gather from all source tokens of its own sentence, in several heads.

    The four layers are nn.Linear without bias, called W_Q, W_K, W_V and W_O. Each gives d_target features,
    of which head h has those from h * d_k up to (not including) (h + 1) * d_k, with d_k = d_target / n_heads.
    Leave the tensors that you are given as they are. Both results have the dtype of the target.

    Shapes: target (batch, n_target, d_target), source (batch, n_source, d_source)
        mask: None (nothing is blocked), or boolean (batch, n_source), for all queries and heads alike
        -> output (batch, n_target, d_target), weights (batch, n_heads, n_target, n_source)
    Steps:
        1. in __init__: refuse an n_heads that does not divide d_target; make the four layers
        2. queries from the target, keys and values from the source, each split into heads
        3. scores of all pairs of a query and a key, divided by the square root of d_k
        4. block, softmax over the keys, block again, as in `masked_multi_head`
        5. the weighted sums of the values, the heads side by side in their order, W_O
    Example:
        >>> attention = CrossAttention(d_target=1, d_source=2, n_heads=1)
        >>> attention.W_Q.weight = attention.W_O.weight = nn.Parameter(torch.tensor([[1.0]]))
        >>> attention.W_K.weight = nn.Parameter(torch.tensor([[1.0, 0.0]]))
        >>> attention.W_V.weight = nn.Parameter(torch.tensor([[0.0, 1.0]]))
        >>> target, source = torch.tensor([[[1.0]]]), torch.tensor([[[0.0, 10.0], [1.0, 20.0], [2.0, 30.0]]])
        >>> output, weights = attention(target, source)
        >>> weights.detach()
        tensor([[[[0.0900, 0.2447, 0.6652]]]])
        >>> output.detach()
        tensor([[[25.7521]]])
        >>> attention(target, source, mask=torch.tensor([[False, False, True]]))[0].detach()
        tensor([[[17.3106]]])

    Mask convention: True = blocked; a sentence with all of its source blocked gets all-zero weights
    Errors: an n_heads that does not divide d_target raises ValueError
    """

    def __init__(self, d_target, d_source, n_heads):
        super().__init__()
        ### BEGIN SOLUTION refuse sizes that do not fit, and make W_Q, W_K, W_V and W_O
        if d_target % n_heads != 0:
            raise ValueError(f"{n_heads} heads cannot share {d_target} features equally")
        self.n_heads = n_heads
        self.d_k = d_target // n_heads
        self.W_Q = nn.Linear(d_target, d_target, bias=False)
        self.W_K = nn.Linear(d_source, d_target, bias=False)
        self.W_V = nn.Linear(d_source, d_target, bias=False)
        self.W_O = nn.Linear(d_target, d_target, bias=False)
        ### END SOLUTION

    def forward(self, target, source, mask=None):
        ### BEGIN SOLUTION return the output and the weights of all heads
        asked = self.W_Q(target)  # (batch, n_target, d_target)
        offered = self.W_K(source)  # (batch, n_source, d_target)
        given = self.W_V(source)  # (batch, n_source, d_target)
        split = (self.n_heads, self.d_k)
        queries = asked.unflatten(-1, split).transpose(1, 2)  # (batch, heads, n_target, d_k)
        keys = offered.unflatten(-1, split).transpose(1, 2)  # (batch, heads, n_source, d_k)
        values = given.unflatten(-1, split).transpose(1, 2)  # (batch, heads, n_source, d_k)
        raw = queries @ keys.transpose(2, 3)  # (batch, heads, n_target, n_source)
        scores = raw / self.d_k**0.5
        if mask is None:
            mask = torch.zeros(source.shape[:2], dtype=torch.bool, device=source.device)  # nothing is blocked
        blocked = mask[:, None, None, :]  # the same for all heads and all queries
        masked = scores.masked_fill(blocked, torch.finfo(scores.dtype).min)
        shares = torch.softmax(masked, dim=-1)  # each row sums to 1
        weights = shares.masked_fill(blocked, 0.0)
        contexts = weights @ values  # (batch, heads, n_target, d_k)
        side_by_side = contexts.transpose(1, 2)  # (batch, n_target, heads, d_k)
        output = self.W_O(side_by_side.flatten(2))
        return output, weights
        ### END SOLUTION
