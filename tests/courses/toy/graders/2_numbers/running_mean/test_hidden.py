"""Graded checks of running_mean."""

import pytest

from softmarks.testing import assert_equal, check, must_raise, read


@pytest.mark.behaviour
@pytest.mark.parametrize(("numbers", "expected"), [((4, 6, 11), 7.0), ((-8, 2), -3.0)])
def test_mean_of_all_numbers(student, numbers, expected):
    """The mean is that of all numbers added so far."""
    mean = student.RunningMean()
    for number in numbers:
        mean.add(number)
    assert_equal(mean.mean(), expected, what="the mean")


@pytest.mark.behaviour
def test_two_means_are_apart(student):
    """Two running means do not share their numbers."""
    first, second = student.RunningMean(), student.RunningMean()
    first.add(10)
    second.add(2)
    second.add(4)
    assert_equal(second.mean(), 3.0, what="the second mean")


@pytest.mark.edges
def test_halves_are_kept(student):
    """The mean of whole numbers need not be whole."""
    mean = student.RunningMean()
    mean.add(1)
    mean.add(2)
    assert_equal(mean.mean(), 1.5, what="the mean")


@pytest.mark.edges
@pytest.mark.needs
def test_two_numbers_are_enough(student):
    """The question after the class: two numbers are kept, count and total."""
    steps = read(student, "STEPS")
    check(steps == {"add": 2}, "the mean needs the count and the total", facts=(str(steps),))


@pytest.mark.errors
def test_no_mean_of_no_number(student):
    """The mean of no number is refused."""
    must_raise(student.RunningMean().mean, what="the mean of no number")
