# %% [markdown]
# # All context vectors at once
#
# 15 minutes, about 3 lines. Builds on `context_vector`.
#
# One token at a time is slow: a sentence of 1,000 tokens has 1,000 queries, and a million pairs. A matrix
# product does them all in one call. With $X$ for the inputs, one row a token,
#
# $$ S = X X^\top \qquad W = \text{softmax}(S) \qquad Z = W X $$
#
# Row $i$ of each belongs to the query $i$: its scores, its weights, its context vector. So the softmax runs
# along a row, and each row of $W$ sums to 1.
#
# A worked number from the book: row 1 belongs to "journey". Its scores begin 0.9544, 1.4950, its weights
# 0.1385, 0.2379, and its context vector is (0.4419, 0.6515, 0.5683), as in the exercise before.
#
# New here: every loop becomes a matrix product. Watch the direction of the softmax. $S$ is symmetric, as
# $x \cdot y = y \cdot x$; $W$ is not, because each row is divided by a sum of its own. A softmax along the
# wrong dimension therefore gives exactly the transpose of $W$: the right numbers, in the wrong places.

# %%
import torch


# %%
def all_context_vectors(inputs):
    """The context vectors of all tokens, with the tables of scores and weights on the way to them.

    The number of torch operations must not grow with the number of tokens: no loop over tokens, pairs or
    queries. Torch's own softmax is welcome now.

    The weights must be right for loud inputs too, with scores in the hundreds. Leave the inputs as they are.
    The results have their dtype and their device, and gradients flow back from the contexts to the inputs.

    Shapes: inputs (tokens, d) -> (scores (tokens, tokens), weights (tokens, tokens), contexts (tokens, d))
    Steps:
        1. scores: the dot product of each token (row) with each token (column), itself included
        2. weights: the softmax of each row
        3. contexts: for each row of weights, the sum of all tokens multiplied by them
    Example:
        >>> scores, weights, contexts = all_context_vectors(torch.tensor([[1.0, 0.0], [1.0, 1.0]]))
        >>> scores
        tensor([[1., 1.],
                [1., 2.]])
        >>> weights
        tensor([[0.5000, 0.5000],
                [0.2689, 0.7311]])
        >>> contexts
        tensor([[1.0000, 0.5000],
                [1.0000, 0.7311]])

    Errors: none to raise
    """
    ### BEGIN SOLUTION return scores, weights and contexts of all tokens, without a loop
    scores = inputs @ inputs.T  # (tokens, tokens), a row for each query
    weights = torch.softmax(scores, dim=-1)  # each row sums to 1
    contexts = weights @ inputs  # (tokens, d)
    return scores, weights, contexts
    ### END SOLUTION
