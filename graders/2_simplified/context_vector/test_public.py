"""The public checks of context_vector: the book's sentence, and numbers to follow by hand."""

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
SCORES = torch.tensor([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865])
WEIGHTS = torch.tensor([0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581])
CONTEXT = torch.tensor([0.4419, 0.6515, 0.5683])


@pytest.mark.values
def test_scores_of_journey(student):
    """The scores of "journey", the token at position 1, are those printed in the book."""
    assert_close(student.attention_scores(INPUTS, 1), SCORES, dims=("token",), what="the scores")


@pytest.mark.values
def test_softmax_of_small_scores(student):
    """The scores 0, ln 2 and ln 3 get the weights 1/6, 2/6 and 3/6, in each of two rows."""
    row = [0.0, 0.693147, 1.098612]
    expected = torch.tensor([[1 / 6, 2 / 6, 3 / 6], [3 / 6, 2 / 6, 1 / 6]])
    weights = student.softmax(torch.tensor([row, row[::-1]]))
    assert_close(weights, expected, dims=("row", "token"), what="the weights")


@pytest.mark.values
def test_softmax_of_extreme_scores(student):
    """1000 and 1000 give one half each, -1000 and 0 give 0 and 1, and the scores stay as they are."""
    scores = torch.tensor([[1000.0, 1000.0], [-1000.0, 0.0], [0.0, 1.098612]])
    seen = observe(student.softmax, scores, inputs=True)
    expected = torch.tensor([[0.5, 0.5], [0.0, 1.0], [0.25, 0.75]])
    assert_close(seen.value, expected, dims=("row", "token"), what="the weights")
    assert_unmodified(seen, scores)


@pytest.mark.values
def test_softmax_is_written_by_hand(student):
    """softmax does not call torch's own softmax."""
    called = observe(student.softmax, torch.tensor([[0.0, 1.0, 2.0]]), watch=True).operations
    ready_made = tuple(sorted({name for name in called if "softm" in name}))
    check(not ready_made, f"softmax calls torch's own {', '.join(ready_made)}", facts=ready_made)


@pytest.mark.values
def test_context_of_journey(student):
    """Scores, weights and context of "journey" are those printed in the book."""
    results = student.context_vector(INPUTS, 1)
    three = isinstance(results, (tuple, list)) and len(results) == 3
    check(three, "context_vector should return three things: scores, weights, context")
    assert_close(results[0], SCORES, dims=("token",), what="the scores")
    assert_close(results[1], WEIGHTS, dims=("token",), what="the weights")
    assert_close(results[2], CONTEXT, dims=("feature",), what="the context")
