# %% [markdown]
# # Questions: why attention
#
# 15 minutes, 6 questions.
#
# What a recurrent translator lacks, what attention gives it, and what that costs. A pocket
# calculator may help, and so do the explanations that follow the exercises. The last question
# asks for an answer in your own words.
#
# Write the letter of your choice in quotes into `ANSWERS` at the end, such as `"b"`.
#
# What is asked in words goes between the quotes in `FREE_ANSWERS`. In a class a person reads it;
# alone you compare it with a model answer, once the letters are right.
#
# Your first answer to each question is remembered when you check this sheet with `softmarks
# check`. It costs nothing.

# %% [markdown]
# ## table_of_weights
#
# A translator has an RNN encoder, an RNN decoder, and attention between them. It reads 5 German
# tokens and makes 7 decoding steps. Write its attention weights down as a table, with a row for
# each look and a column for each thing that is looked at. Which table is it?
#
# - **a** 5 rows and 5 columns, and each row sums to 1.
# - **b** 7 rows and 5 columns, and all weights together sum to 1.
# - **c** 7 rows and 5 columns, and each column sums to 1.
# - **d** 7 rows and 5 columns, and each row sums to 1.
# - **e** 12 rows and 12 columns, and each row sums to 1.

# %% [markdown]
# ## what_bahdanau_changed
#
# In 2014 Bahdanau and his colleagues added attention to the RNN encoder-decoder. Which property
# of the old model does theirs no longer have?
#
# - **a** The decoder sees nothing of the source but one vector of fixed size.
# - **b** Encoder and decoder work through their tokens one after the other.
# - **c** A state of the encoder has a fixed size, whatever it has read.
# - **d** The decoder carries a state of its own from one token to the next.

# %% [markdown]
# ## long_products
#
# A recurrence has a single number as its state, $h_t = w h_{t-1} + x_t$. About how large is the
# derivative of $h_{11}$ with respect to $h_1$, first for $w = 0.5$, then for $w = 2$?
#
# - **a** 0.0005, then 2,000
# - **b** 0.001, then 0.001
# - **c** 0.001, then 1,000
# - **d** 5, then 20
# - **e** 0.5, then 2

# %% [markdown]
# ## twice_the_length
#
# An attention layer of width $d$ that reads $T$ tokens spends $8Td^2$ operations on products with
# its learned matrices, and $4T^2d$ on scores and weighted sums. With $d = 512$, by which factor
# do its operations grow from $T = 256$ to $T = 512$?
#
# - **a** By a factor of 4.0.
# - **b** By a factor of 1.0.
# - **c** By a factor of 2.0.
# - **d** By a factor of 3.0.
# - **e** By a factor of 2.4.

# %% [markdown]
# ## training_and_writing
#
# A language model without any recurrence is trained on a text of 50 tokens, in which every
# position predicts the next token. Later it continues a prompt by 50 tokens, chosen one at a
# time. How many forward passes, each of which has to wait for the one before, do the two take?
#
# - **a** 1 for the training text, and 1 to write.
# - **b** 1 for the training text, and 50 to write.
# - **c** 50 for the training text, and 50 to write.
# - **d** 50 for the training text, and 1 to write.

# %% [markdown]
# ## bottleneck
#
# In your own words, about 120 of them: why does a single state of fixed size hurt an RNN
# translator on long sentences, what does attention do instead, and at what cost?

# %%
ANSWERS = {
    "table_of_weights": None,  # one of a, b, c, d, e
    "what_bahdanau_changed": None,  # one of a, b, c, d
    "long_products": None,  # one of a, b, c, d, e
    "twice_the_length": None,  # one of a, b, c, d, e
    "training_and_writing": None,  # one of a, b, c, d
}

# %%
FREE_ANSWERS = {
    "bottleneck": """
""",
}
