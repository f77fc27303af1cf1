"""Public checks of count_words."""

import pytest

from softmarks.testing import assert_equal


@pytest.mark.behaviour
def test_each_word_is_counted(student):
    """Each word is counted as often as it occurs."""
    assert_equal(student.count_words("the cat and the dog"), {"the": 2, "cat": 1, "and": 1, "dog": 1})


@pytest.mark.edges
def test_an_empty_text_has_no_words(student):
    """A text without words gives an empty dictionary."""
    assert_equal(student.count_words(""), {})
