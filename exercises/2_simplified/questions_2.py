# %% [markdown]
# # Questions: attention without trainable weights
#
# 10 minutes, 5 questions.
#
# Scores, weights and context vectors, without anything learned: what a softmax reacts to, which
# checks can see a mistake, and what a row of weights tells and does not tell. The explanations
# that follow the exercises help here.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## moved_or_stretched
#
# The scores (1, 2, 3) give the weights (0.09, 0.24, 0.67). What happens to the largest weight if
# 10 is added to every score, and what if every score is multiplied by 10 instead?
#
# - **a** Added, it rises to 0.99995. Multiplied, it rises to 0.99995.
# - **b** Added, it stays 0.67. Multiplied, it stays 0.67.
# - **c** Added, it stays 0.67. Multiplied, it rises to 0.99995.
# - **d** Added, it rises to 0.99995. Multiplied, it stays 0.67.
# - **e** Added, it falls to about 0.36. Multiplied, it stays 0.67.

# %% [markdown]
# ## own_score
#
# Three tokens are $p = (2, 1)$, $q = (1, 2)$ and $r = (4, 1)$, and each of them is the query
# once. Which of the three have a higher score with themselves than with any other token?
#
# - **a** All three, as no direction is closer to a token than its own.
# - **b** None of them, as the query leaves its own token out.
# - **c** p alone, as its direction lies between the other two.
# - **d** q and r, as q is the one that points another way.
# - **e** r alone, as it is the longest of the three.

# %% [markdown]
# ## wrong_axis
#
# Somebody takes the softmax of the scores `inputs @ inputs.T` along the wrong dimension, with
# `dim=0` in place of `dim=-1`, and then tests the context vectors on two tokens. With which two
# tokens is everything right, so that the test does not find the mistake?
#
# - **a** (1, 0) and (2, 0)
# - **b** (1, 0) and (1, 1)
# - **c** (1, 1) and (0, 0)
# - **d** (3, 4) and (5, 0)
# - **e** (1, 0) and (0, 2)

# %% [markdown]
# ## two_rows_one_context
#
# Three tokens are (1, 0), (0, 1) and (0.5, 0.5). One query gives them the weights (0.25, 0.25,
# 0.5), another one the weights (0.4, 0.4, 0.2). What do the two context vectors show?
#
# - **a** They are equal. Weights can be read, but alone they do not explain an output.
# - **b** They are equal. Any three weights that sum to 1 give this context vector.
# - **c** They are equal. So one of these rows cannot be the result of a softmax.
# - **d** They differ. Two rows of different weights never have the same weighted sum.

# %% [markdown]
# ## inside_the_inputs
#
# The first features of the book's six tokens are 0.43, 0.55, 0.57, 0.22, 0.77 and 0.05. Somebody
# may choose the scores of a query freely. Which number can then be the first feature of its
# context vector?
#
# - **a** -0.10
# - **b** 0.12
# - **c** 0.00
# - **d** 0.90
# - **e** 2.59

# %%
ANSWERS = {
    "moved_or_stretched": None,  # one of a, b, c, d, e
    "own_score": None,  # one of a, b, c, d, e
    "wrong_axis": None,  # one of a, b, c, d, e
    "two_rows_one_context": None,  # one of a, b, c, d
    "inside_the_inputs": None,  # one of a, b, c, d, e
}
