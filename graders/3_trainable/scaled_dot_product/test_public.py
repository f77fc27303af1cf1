"""The public checks of scaled_dot_product: the lecture's three tokens, the book's second query."""

import pytest
import torch

from softmarks.testing import assert_close, assert_equal, assert_shape, check, sample

# The book's six tokens: the query of "journey", and the keys and values of all of them.
QUERY = torch.tensor([[0.4306, 1.4551]])
KEYS = torch.tensor(
    [
        [0.3669, 0.7646],
        [0.4433, 1.1419],
        [0.4361, 1.1156],
        [0.2408, 0.6706],
        [0.1827, 0.3292],
        [0.3275, 0.9642],
    ]
)
VALUES = torch.tensor(
    [
        [0.1855, 0.8812],
        [0.3951, 1.0037],
        [0.3879, 0.9831],
        [0.2393, 0.5493],
        [0.1492, 0.3346],
        [0.3221, 0.7863],
    ]
)


@pytest.mark.shape
def test_a_pair_comes_back(student):
    """For 4 queries and 6 keys the context is (4, d_v) and the weights are (4, 6); a batch stays in front."""
    queries, keys, values = sample(2, 4, 3), sample(2, 6, 3), sample(2, 6, 5)
    result = student.scaled_dot_product_attention(queries, keys, values)
    check(isinstance(result, (tuple, list)) and len(result) == 2, "the result is not a pair of two tensors")
    assert_shape(result[0], (2, 4, 5), what="the context")
    assert_shape(result[1], (2, 4, 6), what="the weights")


@pytest.mark.values
def test_the_second_query_of_the_book(student):
    """The query of "journey" gets the weights and the context that the book prints."""
    result = student.scaled_dot_product_attention(QUERY, KEYS, VALUES)
    check(isinstance(result, (tuple, list)) and len(result) == 2, "the result is not a pair of two tensors")
    weights = torch.tensor([[0.1500, 0.2264, 0.2199, 0.1311, 0.0906, 0.1820]])
    assert_close(result[1], weights, atol=2e-4, dims=("query", "key"), what="the weights")
    context = torch.tensor([[0.3061, 0.8210]])
    assert_close(result[0], context, atol=2e-4, dims=("query", "feature"), what="the context")


@pytest.mark.mask
def test_blocked_keys(student):
    """Of two equal keys, a blocked one leaves all to the other; with both blocked nothing is left."""
    queries, keys, values = torch.ones(3, 2), torch.ones(2, 2), torch.tensor([[1.0], [3.0]])
    mask = torch.tensor([[False, False], [True, False], [True, True]])
    result = student.scaled_dot_product_attention(queries, keys, values, mask=mask)
    check(isinstance(result, (tuple, list)) and len(result) == 2, "the result is not a pair of two tensors")
    expected = torch.tensor([[0.5, 0.5], [0.0, 1.0], [0.0, 0.0]])
    assert_close(result[1], expected, dims=("query", "key"), what="the weights")
    assert_close(
        result[0], torch.tensor([[2.0], [3.0], [0.0]]), dims=("query", "feature"), what="the context"
    )
    assert_equal(result[1][2], torch.zeros(2), dims=("key",), what="the weights of a query without keys")


@pytest.mark.values
def test_the_example_of_the_lecture(student):
    """Scores of "I love math", with d_k = 3 and values chosen here."""
    scores = torch.tensor([[2.1, 1.4, 0.8], [0.9, 3.2, 1.1], [1.3, 1.7, 2.9]])
    values = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    result = student.worked_example(scores, values)
    check(isinstance(result, (tuple, list)) and len(result) == 3, "the result is not three tensors")
    scaled = torch.tensor([[1.2124, 0.8083, 0.4619], [0.5196, 1.8475, 0.6351], [0.7506, 0.9815, 1.6743]])
    assert_close(result[0], scaled, dims=("query", "key"), what="the scaled scores")
    weights = torch.tensor([[0.4674, 0.3120, 0.2206], [0.1696, 0.6400, 0.1904], [0.2093, 0.2636, 0.5271]])
    assert_close(result[1], weights, dims=("query", "key"), what="the weights")
    output = torch.tensor([[0.6880, 0.5326, 1.2467], [0.3600, 0.8304, 0.9792], [0.7364, 0.7907, 0.6822]])
    assert_close(result[2], output, dims=("token", "feature"), what="the output")
