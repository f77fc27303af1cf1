# %% [markdown]
# # Learned positional encoding
#
# 20 minutes, about 5 lines. Builds on `sinusoidal_encoding`.
#
# Instead of working out a vector for each position by a formula, let training find it: keep a table $E$
# with one row a position, add row $p$ to the token at position $p$ of every sequence, and let gradients
# reach the table. BERT and GPT-2 do that.
#
# $$ y_{b,p} = x_{b,p} + E_p \qquad p = 0, 1, \dots, \text{tokens} - 1 $$
#
# A worked number: with the rows $E_0 = (0.1, 0.2)$ and $E_1 = (0.3, -0.1)$, a sequence of two tokens that
# are both $(1, 1)$ becomes $(1.1, 1.2), (1.3, 0.9)$. The two tokens are alike no more.
#
# New here is `nn.Embedding(rows, width)`: a trainable table, called with a tensor of *integers* of any
# shape, which are the numbers of its rows; it returns these rows. A language model keeps another one for
# its words. The integers have to be on the device of the table, so make them where `x` is.
#
# A table has an end: there is no row for position `max_len`, and nothing to compute it from. A longer input
# is an error.

# %%
import torch
from torch import nn


# %%
class LearnedPE(nn.Module):
    """Add to each token the trainable row of its position. No dropout: train and eval mode are alike.

    Shapes: x (batch, tokens, d_model) -> the same shape and dtype, for any tokens <= max_len
    Steps:
        1. in __init__: `pe` is an nn.Embedding with max_len rows of d_model numbers, the only parameter.
           How it is initialised is up to you; every row is trained, the first one too
        2. in forward: the positions 0 … tokens - 1, made on the device of x
        3. their rows are added to every sequence of the batch; x itself keeps its values
    Example:
        >>> encoding = LearnedPE(d_model=2, max_len=3)
        >>> _ = encoding.load_state_dict({"pe.weight": torch.tensor([[0.1, 0.2], [0.3, -0.1], [7.0, 7.0]])})
        >>> encoding(torch.ones(1, 2, 2)).detach()
        tensor([[[1.1000, 1.2000],
                 [1.3000, 0.9000]]])

    Errors: an input with more than max_len tokens raises (any ordinary exception; looking up a row that
        is not there does so by itself on the CPU; on CUDA it is an assert, after which the process has lost
        the GPU)
    """

    def __init__(self, d_model=512, max_len=512):
        super().__init__()
        ### BEGIN SOLUTION make the table pe, one row for each position
        self.pe = nn.Embedding(max_len, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION return x plus the rows of its positions
        num_tokens = x.shape[1]
        positions = torch.arange(num_tokens, device=x.device)  # (tokens,)
        encoding = self.pe(positions)  # (tokens, d_model)
        return x + encoding  # the same for every sequence of the batch
        ### END SOLUTION
