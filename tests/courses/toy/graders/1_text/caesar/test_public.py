"""Public checks of caesar."""

import pytest

from softmarks.testing import assert_equal


@pytest.mark.behaviour
def test_letters_move_on(student):
    """Letters move on by the shift."""
    assert_equal(student.encode("abc", 2), "cde")


@pytest.mark.edges
def test_after_z_comes_a(student):
    """After z the alphabet begins again."""
    assert_equal(student.encode("Zoo!", 1), "App!")
