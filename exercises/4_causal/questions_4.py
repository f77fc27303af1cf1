# %% [markdown]
# # Questions: causal attention
#
# 10 minutes, 5 questions.
#
# Hidden futures and dropped weights: what a mask keeps out, what it does not save, and what
# dropout does to a single row. The explanations that follow the exercises help here.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## no_leak
#
# The second of three rows of weights is (0.2, 0.3, 0.5), and `mask_after_softmax` makes it (0.4,
# 0.6, 0). Now the third score of this row grows, and no other. Before masking the row is then
# (0.02, 0.03, 0.95). What is it after masking?
#
# - **a** (0.02, 0.03, 0)
# - **b** (0.4, 0.6, 0)
# - **c** (0.2, 0.3, 0)
# - **d** (0.495, 0.505, 0)

# %% [markdown]
# ## first_token
#
# `CausalAttention` with the dropout rate 0.2 is in training mode. What is the context vector of
# the first token of a sequence, seen over many calls?
#
# - **a** Its value vector, in all calls.
# - **b** Zeros in about 1 of 5 calls, otherwise its value vector.
# - **c** Zeros in about 1 of 5 calls, otherwise 1.25 times its value vector.
# - **d** Zeros in about 1 of 5 calls, otherwise 5 times its value vector.
# - **e** Zeros in about 4 of 5 calls, otherwise 5 times its value vector.

# %% [markdown]
# ## same_everywhere
#
# After `torch.manual_seed(123)`, `nn.Dropout(0.5)` in training mode is given a 6 by 6 tensor of
# ones, and the book prints what comes out. What in that table must be the same on every machine
# and with every version of torch?
#
# - **a** The places of its zeros.
# - **b** The number of its zeros.
# - **c** The sum of each row.
# - **d** The mean of the table.
# - **e** The value of its survivors.

# %% [markdown]
# ## scores_computed
#
# A causal attention computes its scores in one matrix product, $QK^\top$, and masks them
# afterwards. How many scores does this product compute for a sequence of 512 tokens?
#
# - **a** 262,144
# - **b** 131,328
# - **c** 130,816
# - **d** 512

# %% [markdown]
# ## two_layers
#
# Two layers of causal attention follow each other, without dropout. Of 6 input tokens, the fifth
# is changed. Whose outputs of the second layer can change?
#
# - **a** That of token 5 alone.
# - **b** That of token 6 alone.
# - **c** Those of tokens 1 to 5.
# - **d** Those of tokens 5 and 6.
# - **e** Those of all 6 tokens.

# %%
ANSWERS = {
    "no_leak": None,  # one of a, b, c, d
    "first_token": None,  # one of a, b, c, d, e
    "same_everywhere": None,  # one of a, b, c, d, e
    "scores_computed": None,  # one of a, b, c, d
    "two_layers": None,  # one of a, b, c, d, e
}
