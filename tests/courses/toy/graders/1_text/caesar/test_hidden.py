"""Graded checks of caesar."""

import pytest

from softmarks.testing import assert_equal, must_raise


@pytest.mark.behaviour
@pytest.mark.parametrize(("shift", "expected"), [(3, "khoor"), (1, "ifmmp")])
def test_letters_move_on(student, shift, expected):
    """Letters move on by the shift."""
    assert_equal(student.encode("hello", shift), expected, what="the text")


@pytest.mark.behaviour
@pytest.mark.needs("test_letters_move_on")
def test_decode_undoes_encode(student):
    """Decoding with the same shift gives the text back."""
    assert_equal(student.decode("khoor", 3), "hello", what="the decoded text")


@pytest.mark.edges
def test_after_z_comes_a(student):
    """After z the alphabet begins again."""
    assert_equal(student.encode("xyz", 5), "cde", what="the text")


@pytest.mark.edges
def test_capitals_stay_capitals(student):
    """A capital letter stays capital."""
    assert_equal(student.encode("Dog", 2), "Fqi", what="the text")


@pytest.mark.edges
def test_other_characters_stay(student):
    """Blanks, digits and signs stay as they are."""
    assert_equal(student.encode("go, 2 of us!", 1), "hp, 2 pg vt!", what="the text")


@pytest.mark.errors
def test_half_a_place_is_refused(student):
    """A shift that is no whole number is refused."""
    must_raise(student.encode, "a", 0.5, what='encode("a", 0.5)')
