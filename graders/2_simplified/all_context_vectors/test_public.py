"""The public checks of all_context_vectors: the book's sentence, and three tokens to follow by hand."""

import pytest
import torch

from softmarks.testing import assert_close, assert_unmodified, check, observe

INPUTS = torch.tensor(
    [
        [0.43, 0.15, 0.89],  # Your
        [0.55, 0.87, 0.66],  # journey
        [0.57, 0.85, 0.64],  # starts
        [0.22, 0.58, 0.33],  # with
        [0.77, 0.25, 0.10],  # one
        [0.05, 0.80, 0.55],  # step
    ]
)
SCORES = torch.tensor(
    [
        [0.9995, 0.9544, 0.9422, 0.4753, 0.4576, 0.6310],
        [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865],
        [0.9422, 1.4754, 1.4570, 0.8296, 0.7154, 1.0605],
        [0.4753, 0.8434, 0.8296, 0.4937, 0.3474, 0.6565],
        [0.4576, 0.7070, 0.7154, 0.3474, 0.6654, 0.2935],
        [0.6310, 1.0865, 1.0605, 0.6565, 0.2935, 0.9450],
    ]
)
WEIGHTS = torch.tensor(
    [
        [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452],
        [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581],
        [0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565],
        [0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720],
        [0.1526, 0.1958, 0.1975, 0.1367, 0.1879, 0.1295],
        [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896],
    ]
)
CONTEXTS = torch.tensor(
    [
        [0.4421, 0.5931, 0.5790],
        [0.4419, 0.6515, 0.5683],
        [0.4431, 0.6496, 0.5671],
        [0.4304, 0.6298, 0.5510],
        [0.4671, 0.5910, 0.5266],
        [0.4177, 0.6503, 0.5645],
    ]
)
ROWS = ("query", "token")


def three(results):
    """Scores, weights and contexts, after a look whether there are three."""
    found = isinstance(results, (tuple, list)) and len(results) == 3
    check(found, "all_context_vectors should return three things: scores, weights, contexts")
    return results


@pytest.mark.values
def test_scores_of_the_book(student):
    """All scores of the book's sentence are those printed there."""
    assert_close(three(student.all_context_vectors(INPUTS))[0], SCORES, dims=ROWS, what="the scores")


@pytest.mark.values
def test_weights_of_the_book(student):
    """All weights of the book's sentence are those printed there: each row sums to 1."""
    assert_close(three(student.all_context_vectors(INPUTS))[1], WEIGHTS, dims=ROWS, what="the weights")


@pytest.mark.values
def test_contexts_of_the_book(student):
    """All context vectors of the book's sentence are those printed there, and the inputs stay as they are."""
    seen = observe(student.all_context_vectors, INPUTS, inputs=True)
    assert_close(three(seen.value)[2], CONTEXTS, dims=("token", "feature"), what="the contexts")
    assert_unmodified(seen, INPUTS)


@pytest.mark.vectorised
def test_no_loop(student):
    """Six tokens take as many torch operations as two."""
    few = observe(student.all_context_vectors, INPUTS[:2], watch=True).operations
    many = observe(student.all_context_vectors, INPUTS, watch=True).operations
    says = f"two tokens take {len(few)} torch operations, six take {len(many)}"
    check(len(few) == len(many), says, facts=("more",))
