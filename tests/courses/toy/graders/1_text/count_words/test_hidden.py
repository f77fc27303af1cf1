"""Graded checks of count_words."""

import pytest

from softmarks.testing import assert_equal, must_raise


@pytest.mark.behaviour
@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("one fish two fish", {"one": 1, "fish": 2, "two": 1}),
        ("row row row your boat", {"row": 3, "your": 1, "boat": 1}),
    ],
)
def test_each_word_is_counted(student, text, counts):
    """Each word is counted as often as it occurs."""
    assert_equal(student.count_words(text), counts, what="the counts")


@pytest.mark.behaviour
def test_case_does_not_matter(student):
    """Upper and lower case are the same word."""
    assert_equal(student.count_words("Red red RED blue"), {"red": 3, "blue": 1}, what="the counts")


@pytest.mark.edges
@pytest.mark.needs("test_each_word_is_counted")
def test_any_white_space_separates(student):
    """Several blanks, tabs and line ends separate words as one blank does."""
    assert_equal(student.count_words("  up\tand \n down  up "), {"up": 2, "and": 1, "down": 1})


@pytest.mark.edges
def test_an_empty_text_has_no_words(student):
    """A text without words gives an empty dictionary."""
    assert_equal(student.count_words(""), {})


@pytest.mark.errors
def test_what_is_no_text_is_refused(student):
    """A number in the place of the text is refused."""
    must_raise(student.count_words, 7, what="count_words(7)")
