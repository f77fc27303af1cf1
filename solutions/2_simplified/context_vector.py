# %% [markdown]
# # The context vector of one token
#
# 25 minutes; three functions of one to three lines. Nothing comes before it but tensors.
#
# A sentence arrives as one vector a token. **Attention** gives each token a new vector, its *context
# vector*, that also says something about the other tokens. For one token, the *query*, it takes three steps:
#
# - **scores**: the dot product of the query with every token, itself included;
# - **weights**: the softmax of the scores, so that they are positive and sum to 1;
# - **context**: the sum of all tokens, each multiplied by its weight.
#
# $$ w_j = \frac{e^{s_j}}{\sum_k e^{s_k}} $$
#
# A worked number from the book, where "journey" is (0.55, 0.87, 0.66) and "Your" is (0.43, 0.15, 0.89):
# the score of "Your" is 0.55 · 0.43 + 0.87 · 0.15 + 0.66 · 0.89 = 0.9544, and its weight is 0.1385.
#
# New here is a softmax that is right for every score. In float32, $e^{89}$ is already infinite, and infinity
# divided by infinity is not a number. The way out: when the same number is subtracted from all scores of a
# row, the weights stay as they are. Choose it such that no exponent is above 0, and one is 0.
#
# (*The book* is chapter 3 of Sebastian Raschka's *Build a Large Language Model (From Scratch)*, and *the
# lecture* of later exercises is a course module on attention. Nobody needs either.)

# %%
import torch


# %%
def attention_scores(inputs, position):
    """Score every token for one of them, the query: the dot product of the two, nothing more.

    The result has the dtype and the device of the inputs.

    Shapes: inputs (tokens, d), position an int from 0 to tokens - 1 -> scores (tokens,)
    Steps:
        1. the query is the token at that position
        2. multiply it with each token, feature by feature, and sum over the features
    Example:
        >>> attention_scores(torch.tensor([[1.0, 2.0], [3.0, 0.0], [0.0, 1.0]]), position=0)
        tensor([5., 3., 2.])

    Errors: none to raise
    """
    ### BEGIN SOLUTION return the dot product of the query with every token
    query = inputs[position]  # (d,)
    return inputs @ query  # (tokens,)
    ### END SOLUTION


# %%
def softmax(scores):
    """Turn scores into weights along the last dimension: positive, and each row sums to 1.

    Write it with exponentials, sums and maxima: torch's own softmax is not to be called here, in none of its
    forms (torch.softmax, torch.nn.functional.softmax, Tensor.softmax, log_softmax, softmin).

    The result must be right for very large and very small scores too, in every row: 1000 and 1000 give
    0.5 and 0.5, and -1000 and 0 give 0 and 1. Leave the tensor that you are given as it is. The result has
    its dtype and its device, and gradients flow back through it.

    Shapes: scores (..., tokens), any number of dimensions before the last -> weights, the same shape
    Steps:
        1. subtract from each row a number of its own, so that nothing overflows
        2. exponentials
        3. divide each row by its sum
    Example:
        >>> softmax(torch.tensor([[0.0, 1.0986], [1000.0, 1000.0]]))
        tensor([[0.2500, 0.7500],
                [0.5000, 0.5000]])

    Errors: none to raise
    """
    ### BEGIN SOLUTION return positive weights, with each row summing to 1
    largest = scores.amax(dim=-1, keepdim=True)  # (..., 1)
    powers = torch.exp(scores - largest)  # (..., tokens), none above 1
    return powers / powers.sum(dim=-1, keepdim=True)
    ### END SOLUTION


# %%
def context_vector(inputs, position):
    """The context vector of one token, with the scores and the weights on the way to it.

    Leave the inputs as they are. The results have their dtype and their device, and gradients flow back
    from the context to the inputs.

    Shapes: inputs (tokens, d), position an int -> (scores (tokens,), weights (tokens,), context (d,))
    Steps:
        1. the scores of all tokens for the query at that position
        2. their softmax, with the function above
        3. the sum of all tokens, each multiplied by its weight
    Example:
        >>> inputs = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> scores, weights, context = context_vector(inputs, position=1)
        >>> scores, weights
        (tensor([0., 1.]), tensor([0.2689, 0.7311]))
        >>> context
        tensor([0.2689, 0.7311])

    Errors: none to raise
    """
    ### BEGIN SOLUTION return scores, weights and context of the token at this position
    scores = attention_scores(inputs, position)  # (tokens,)
    weights = softmax(scores)  # (tokens,)
    context = weights @ inputs  # (d,)
    return scores, weights, context
    ### END SOLUTION
