"""Numbers are compared in a course without torch, where nobody needs to have it."""

import math
import subprocess
import sys

import pytest

from softmarks.grading import assertions
from softmarks.grading.assertions import assert_close
from softmarks.grading.student import CheckFailed, Session
from softmarks.sandbox.client import InProcess
from softmarks.verdict import Outcome


@pytest.fixture
def session(monkeypatch):
    """The session of a check, in a process without torch."""
    monkeypatch.setattr(assertions, "torch_module", lambda: None)
    session = Session(InProcess(), 0)
    with session.current():
        yield session


@pytest.mark.parametrize(
    ("actual", "expected", "outcome"),
    [
        (2.5, 2.5, None),
        (2.50001, 2.5, None),
        (5, 5.0, None),
        (math.inf, math.inf, None),
        (2.6, 2.5, Outcome.WRONG_VALUE),
        (5.0, math.inf, Outcome.WRONG_VALUE),
        (math.nan, 2.5, Outcome.NOT_FINITE),
        (-math.inf, 2.5, Outcome.NOT_FINITE),
        (None, 2.5, Outcome.WRONG_SHAPE),
        (True, 1, Outcome.WRONG_SHAPE),
        ([2.5], 2.5, Outcome.WRONG_SHAPE),
    ],
)
def test_a_number_is_close_or_not(session, actual, expected, outcome):
    """Within the tolerance it passes; what is no number, or none that is finite, is told as such."""
    if outcome is None:
        assert_close(actual, expected)
        assert session.conversation.gap < 1
        return
    with pytest.raises(CheckFailed) as failed:
        assert_close(actual, expected)
    assert failed.value.outcome is outcome


def test_what_a_suite_imports_brings_no_torch():
    """It takes seconds to import, and need not be installed."""
    code = "import sys, softmarks.testing; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
