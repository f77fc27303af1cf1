# %% [markdown]
# # Scaled dot-product attention
#
# 30 minutes; one function of about 8 lines, one of 3. Builds on `all_context_vectors`.
#
# So far each token was compared and mixed as it is. From here on it plays three parts: as a **query** it
# asks, as a **key** it is compared with queries, as a **value** it is mixed into the answer. Where the three
# come from is left to `self_attention_v1`; here you are given them, a row for each token:
#
# $$\text{weights} = \text{softmax}(QK^\top / \sqrt{d_k}) \qquad \text{context} = \text{weights}\; V$$
#
# with $d_k$ the size of a key. In the lecture's example $d_k = 3$, and "love" has the scores 0.9, 3.2, 1.1.
# Divided by $\sqrt 3 = 1.7321$ they are 0.5196, 1.8475, 0.6351; the softmax gives 0.1696, 0.6400, 0.1904,
# which add up to 1. (The lecture prints 0.21, 0.80, 0.26. That is a misprint: they add up to 1.27.)
#
# New here: the scale; dimensions before the last two (a batch, heads), which never mix; and a mask.
#
# **Mask convention.** A mask is boolean, `True` means *blocked*, and it broadcasts to the scores. A blocked
# key gets the weight 0. A query whose keys are all blocked gets the weights 0 and the context 0, never `nan`,
# and finite gradients. A softmax of nothing but $-\infty$ is 0 / 0, so two steps that never meet it:
#
# 1. before the softmax, put the lowest finite number, `torch.finfo(scores.dtype).min`, on what is blocked;
# 2. after the softmax, put 0 on it.

# %%
import torch

D_K = 3  # the size of a key in the lecture's example


# %%
def scaled_dot_product_attention(queries, keys, values, mask=None):
    """Let each query gather a weighted sum of the values: the better its key fits, the more of a value.

    Write it out: torch.nn.functional.scaled_dot_product_attention is not allowed here; torch.softmax is.
    The scores may be in the hundreds: weights stay right and finite. Leave the tensors that you are given as
    they are.

    Shapes:
        queries (..., n_queries, d_k), keys (..., n_keys, d_k), values (..., n_keys, d_v)
        mask: None (nothing is blocked), or boolean and broadcastable to (..., n_queries, n_keys)
        returns the pair context (..., n_queries, d_v), weights (..., n_queries, n_keys)
        The dimensions in front are the same for all three: none, a batch, a batch and heads. Everything
        comes back on the device and in the dtype of the queries.
    Steps:
        1. the score of each query with each key, a dot product
        2. divide by the square root of the size of a key
        3. block, softmax over the keys, block again
        4. the weighted sum of the values
    Example:
        >>> queries, keys = torch.tensor([[1.0, 0.0, 0.0, 0.0]]), torch.eye(2, 4)
        >>> values = torch.tensor([[1.0], [3.0]])
        >>> context, weights = scaled_dot_product_attention(queries, keys, values)
        >>> weights
        tensor([[0.6225, 0.3775]])
        >>> context
        tensor([[1.7551]])
        >>> scaled_dot_product_attention(queries, keys, values, mask=torch.tensor([[True, True]]))[1]
        tensor([[0., 0.]])

    Mask convention: True = blocked
    Errors: none to raise
    """
    raise NotImplementedError("scaled_dot_product_attention: return the context and the weights")


# %%
def worked_example(scores, values):
    """Finish the lecture's example by hand, from its raw scores: scale, softmax, weighted sum.

    The scores do not tell d_k: how many there are is the number of tokens. It is D_K, for longer sentences
    too. Leave both tensors as they are.

    Shapes:
        scores (tokens, tokens), 3 x 3 in the lecture; values (tokens, d_v)
        returns three tensors: scaled (tokens, tokens), weights (tokens, tokens), output (tokens, d_v)
    Steps:
        1. scaled: the scores divided by the square root of D_K
        2. weights: the softmax of each row
        3. output: for each row of weights the weighted sum of the values
    Example:
        >>> scores = torch.tensor([[2.1, 1.4, 0.8], [0.9, 3.2, 1.1], [1.3, 1.7, 2.9]])
        >>> scaled, weights, output = worked_example(scores, torch.eye(3))
        >>> scaled[1]
        tensor([0.5196, 1.8475, 0.6351])
        >>> weights[1]
        tensor([0.1696, 0.6400, 0.1904])

    Errors: none to raise
    """
    raise NotImplementedError("worked_example: return scaled, weights and output")
