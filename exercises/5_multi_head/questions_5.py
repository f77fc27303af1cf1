# %% [markdown]
# # Questions: multi-head attention
#
# 10 minutes, 5 questions.
#
# Several heads in place of one: what that does to the number of parameters, to the widths, to
# work and memory, and what it is good for. The explanations that follow the exercises help here.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## more_heads
#
# `MultiHeadAttention` with the sizes of GPT-2 small (768 in, 768 out, 12 heads, no bias for
# queries, keys and values) has 2,360,064 parameters. How many has it with 24 heads, and all else
# the same?
#
# - **a** 4,720,128
# - **b** 1,180,032
# - **c** 2,360,064
# - **d** 4,719,360

# %% [markdown]
# ## what_a_head_reads
#
# Attention with `d_model` 512 has 8 heads. Take one query of its third head. How wide is it, and
# on how many features of its token does it depend?
#
# - **a** 64 wide, from the 64 features of the third slice.
# - **b** 512 wide, from all the 512 features of the token.
# - **c** 512 wide, from the 64 features of the third slice.
# - **d** 64 wide, from all the 512 features of the token.
# - **e** 8 wide, from all the 512 features of the token.

# %% [markdown]
# ## work_and_memory
#
# A sequence has 1,024 tokens, and queries and keys are 768 wide in all. Compare 12 heads of width
# 64 with a single head of width 768. What do the 12 heads change in the multiplications for the
# scores $QK^\top$, and in the number of attention weights?
#
# - **a** As many multiplications, 12 times as many weights.
# - **b** 12 times as many multiplications and weights.
# - **c** As many multiplications, and as many weights.
# - **d** 12 times as many multiplications, as many weights.
# - **e** A twelfth of the multiplications, as many weights.

# %% [markdown]
# ## uneven_heads
#
# Somebody describes a model with `d_model` 2048 and 24 heads of width 128. But 2048 is no
# multiple of 24. Can there be such a model?
#
# - **a** No. Attention is defined only if the heads divide `d_model`.
# - **b** Yes. It projects to 24 · 128 = 3072, and at the end back to 2048.
# - **c** Yes. But it can use only 16 of its heads, as 16 · 128 = 2048.
# - **d** Yes. Some of its heads are 85 wide in truth, and others 86.

# %% [markdown]
# ## two_looks
#
# Values are single numbers here: token 2 has 3, token 5 has 7, and other tokens get no weight.
# One head gives both tokens the weight 1/2. Of two other heads, concatenated, the first gives
# token 2 the weight 1, the second gives it to token 5. Then the two tokens exchange their values,
# and all weights stay. What does the one head give before and after, and what do the two?
#
# - **a** One head 5, then 5. Two heads 10, then 10.
# - **b** One head 5, then 5. Two heads 5, then 5.
# - **c** One head (1.5, 3.5), then (3.5, 1.5). Two heads (3, 7), then (7, 3).
# - **d** One head 5, then 5. Two heads (3, 7), then (3, 7).
# - **e** One head 5, then 5. Two heads (3, 7), then (7, 3).

# %%
ANSWERS = {
    "more_heads": None,  # one of a, b, c, d
    "what_a_head_reads": None,  # one of a, b, c, d, e
    "work_and_memory": None,  # one of a, b, c, d, e
    "uneven_heads": None,  # one of a, b, c, d
    "two_looks": None,  # one of a, b, c, d, e
}
