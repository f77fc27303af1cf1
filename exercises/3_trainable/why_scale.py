# %% [markdown]
# # Why scores are scaled
#
# 25 minutes; two functions of about 5 lines. Builds on `scaled_dot_product`.
#
# A dot product of two vectors with $d_k$ entries is a sum of $d_k$ products. If all entries are independent
# and standard normal (mean 0, variance 1), each product has variance 1, and their sum has variance $d_k$: the
# scores of keys with 64 entries spread eight times as far as those of keys with one. Divided by
# $\sqrt{d_k}$ they have variance 1 again. You measure that by simulation.
#
# Scores far apart hurt because of the softmax. With the weights $p = \text{softmax}(s)$, the derivative of
# weight $i$ by score $j$ is an entry of an $n \times n$ table, the **Jacobian** $J$:
#
# $$J_{ij} = p_i\,(\delta_{ij} - p_j) \qquad \delta_{ij} = 1 \text{ where } i = j \text{, else } 0$$
#
# A worked number: the scores (0, 0) have the weights (0.5, 0.5), and $J$ has 0.25 twice on its diagonal and
# -0.25 twice beside it. The root of the sum of squares of all entries, the *Frobenius norm*, is
# $\sqrt{4 \cdot 0.0625} = 0.5$. For the scores (4, 0) it is only 0.0353: *every* entry has shrunk, also that
# of the winner. Training moves scores by gradients that went through this table.
#
# New here: a claim about random numbers, tested by drawing them; and one number for a table of derivatives.

# %%
import torch


# %%
def score_variance(d_k, scaled, samples=10_000):
    """Measure how far the scores of random queries and keys spread, by simulation.

    It is an experiment: each call draws new random numbers. Each pair has a query and a key of its own.

    Shapes: d_k and samples are ints, scaled is a bool -> one number, a float or a tensor without dimensions
    Steps:
        1. draw `samples` queries and as many keys, each of d_k independent standard normal numbers
        2. one score a pair: the dot product of the pair's query with its key
        3. divide the scores by the square root of d_k if `scaled` is True
        4. the variance of all scores
    Example:
        >>> _ = torch.manual_seed(0)
        >>> round(float(score_variance(16, scaled=False, samples=100_000)))
        16
        >>> round(float(score_variance(16, scaled=True, samples=100_000)))
        1

    Errors: none to raise
    """
    raise NotImplementedError("score_variance: return the variance of the scores of random pairs")


# %%
def softmax_gradient_norm(scores):
    """Say how much of a gradient a softmax lets through: the Frobenius norm of its Jacobian at these scores.

    Scores may be in the thousands; the result is finite. It is computed in the dtype of the scores, which
    stay as they are. Torch may find the derivatives for you, or you write the formula down.

    Shapes: scores (n,) -> one number, a float or a tensor without dimensions
    Steps:
        1. the weights: the softmax of the scores
        2. the (n, n) table of derivatives of each weight by each score
        3. the square root of the sum of the squares of all its entries
    Example:
        >>> softmax_gradient_norm(torch.tensor([0.0, 0.0]))
        tensor(0.5000)
        >>> softmax_gradient_norm(torch.tensor([4.0, 0.0]))
        tensor(0.0353)

    Errors: none to raise
    """
    raise NotImplementedError("softmax_gradient_norm: return the Frobenius norm of the Jacobian of the softmax")
