# %% [markdown]
# # Questions: attention with trainable weights
#
# 12 minutes, 5 questions.
#
# Attention with learned matrices: what is learned and what is computed, what the division by
# $\sqrt{d_k}$ does and does not do, and when two sets of matrices are the same attention. The
# explanations that follow the exercises help here.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## learned_numbers
#
# `SelfAttention_v2(5, 4)` reads a sequence of 6 tokens and then one of 12. How many of the
# numbers that it computes with are learned in training, first with 6 tokens, then with 12?
#
# - **a** 96, then 204
# - **b** 60, then 60
# - **c** 36, then 144
# - **d** 60, then 120
# - **e** 72, then 72

# %% [markdown]
# ## variance_of_a_score
#
# The entries of queries and keys are independent of each other and have mean 0. Their standard
# deviation is 3 in the queries and 0.5 in the keys, and $d_k = 16$. What is the variance of a
# scaled score $q \cdot k / \sqrt{d_k}$?
#
# - **a** It is 1.
# - **b** It is 1.5.
# - **c** It is 36.
# - **d** It is 0.14.
# - **e** It is 2.25.

# %% [markdown]
# ## saturated_row
#
# A row of scores is (20, 20, 0, 0), and its weights, to eight decimals, are 0.5, 0.5, 0 and 0.
# Each of the four weights has a derivative with respect to each of the four scores. Which of
# these 16 are larger than 0.001, without regard to sign?
#
# - **a** None of the sixteen.
# - **b** All eight of the two large weights.
# - **c** Those of each weight by its own score.
# - **d** Those of the two large weights by the two large scores.
# - **e** All of the sixteen.

# %% [markdown]
# ## without_the_scale
#
# Queries and keys are 64 wide, and somebody forgets to divide the scores by $\sqrt{d_k}$. What
# does that do to a row of attention weights whose scores are not all equal?
#
# - **a** Its sum is no longer 1, and its largest weight grows.
# - **b** Its sum is no longer 1, and its largest weight stays.
# - **c** Its sum is still 1, and its largest weight grows.
# - **d** Its sum is still 1, and its largest weight shrinks.
# - **e** It stays as it is, as softmax cancels a common factor.

# %% [markdown]
# ## same_function
#
# Two `SelfAttention_v1` have the same matrices. Then one of them is changed. After which change
# do the two still give the same outputs, whatever the input and whatever the matrices were?
#
# - **a** Its `W_query` is doubled, and its `W_key` is halved.
# - **b** Its `W_query` is doubled, and its `W_value` is halved.
# - **c** Its `W_query` and its `W_key` change places.
# - **d** Its `W_query` and its `W_key` are both doubled.
# - **e** Its `W_query` has all its signs turned round.

# %%
ANSWERS = {
    "learned_numbers": None,  # one of a, b, c, d, e
    "variance_of_a_score": None,  # one of a, b, c, d, e
    "saturated_row": None,  # one of a, b, c, d, e
    "without_the_scale": None,  # one of a, b, c, d, e
    "same_function": None,  # one of a, b, c, d, e
}
