# %% [markdown]
# # Questions: positions
#
# 12 minutes, 5 questions.
#
# Order, and how attention learns of it: which models know of order without being told, what an
# encoding says about two positions, and how far it reaches. The explanations that follow the
# exercises help here. The last question has a method from a bonus exercise in it; what you need
# of it is said there.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## who_knows_order
#
# Models without any positional encoding turn a sentence into one vector, the mean of their
# outputs over all tokens. Which of them can tell "dog bites man" from "man bites dog"?
#
# - **a** One layer of unmasked attention with eight heads.
# - **b** Two layers of unmasked attention, one after the other.
# - **c** One layer of unmasked attention with learned matrices.
# - **d** None. It takes an encoding for attention to know order.
# - **e** One layer of causal attention with learned matrices.

# %% [markdown]
# ## seven_turns
#
# In the first pair of the sinusoidal encoding the positions 0 and 44 look alike: (0, 1) and
# (0.018, 1.000). The pair turns once in 6.28 tokens, and 44 tokens are almost exactly seven
# turns. How does the encoding with `d_model` 512 tell the two positions clearly apart?
#
# - **a** Not at all. It repeats itself after 44 tokens.
# - **b** By faster pairs. Those have turned more often.
# - **c** By slower pairs. Those are elsewhere in their turn.
# - **d** By the embedding. It is added to the encoding.
# - **e** By the cosine. It separates what the sine cannot.

# %% [markdown]
# ## before_or_after
#
# Take the sinusoidal encodings of three positions, $PE(7)$, $PE(10)$ and $PE(13)$. How do the dot
# products $PE(10) \cdot PE(13)$ and $PE(10) \cdot PE(7)$ compare?
#
# - **a** The first is larger, as 13 is the larger position.
# - **b** The second is larger, as 7 lies in the past of 10.
# - **c** They differ in sign, which tells before from after.
# - **d** They are equal, as the distance is 3 in both.
# - **e** They are both 0, as no two positions are alike.

# %% [markdown]
# ## rows_never_used
#
# `LearnedPE(max_len=512)` was trained with plain gradient descent, on texts of 100 tokens. Now it
# is given a text of 300 tokens. What does it add to the token at position 200?
#
# - **a** The random numbers that row 200 began with.
# - **b** Zeros, since row 200 was never trained.
# - **c** A row that carries on what the others learned.
# - **d** Nothing, since it stops with an IndexError.
# - **e** The row of position 0, since 200 is 2 · 100.

# %% [markdown]
# ## longer_texts
#
# Small models learned to name the previous one of 16 symbols, on texts of 32 tokens, and all were
# right there. In texts of 256 tokens, from position 32 on, one kind was right in 100 %, the other
# in 8 % of cases (guessing: 6 %). One kind adds the sinusoidal encoding to its tokens. The other
# adds nothing: it lowers each score in proportion to the distance of the key. How did the
# sinusoidal kind do, and why?
#
# - **a** 100 %. Its formula has a vector for every position.
# - **b** 8 %. From position 32 on its vectors are new to it.
# - **c** 8 %. Its vectors come round again after 32 positions.
# - **d** 8 %. Its entries grow until they drown the tokens.
# - **e** 100 %. The other kind meets distances that are new.

# %%
ANSWERS = {
    "who_knows_order": None,  # one of a, b, c, d, e
    "seven_turns": None,  # one of a, b, c, d, e
    "before_or_after": None,  # one of a, b, c, d, e
    "rows_never_used": None,  # one of a, b, c, d, e
    "longer_texts": None,  # one of a, b, c, d, e
}
