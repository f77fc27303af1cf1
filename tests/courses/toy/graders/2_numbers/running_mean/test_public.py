"""Public checks of running_mean."""

import pytest

from softmarks.testing import assert_equal


@pytest.mark.behaviour
def test_mean_of_two_numbers(student):
    """The mean of 1 and 2 is 1.5."""
    mean = student.RunningMean()
    mean.add(1)
    mean.add(2)
    assert_equal(mean.mean(), 1.5, what="the mean")
