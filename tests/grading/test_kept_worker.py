"""A worker that is kept ends when nobody has used it for a while, whatever the last use came to."""

from __future__ import annotations

import pytest

from softmarks.errors import UsageError
from softmarks.grading.kept_worker import KeptWorker
from tests.conftest import TOY


def test_the_bell_rings_after_a_wrong_question_too(toy_room):
    """It lives on, and its time runs."""
    kept = KeptWorker(TOY, idle=100)
    try:
        with kept.use() as worker:
            assert worker.mark("count_words", [toy_room("count_words").reference()]).full_marks
        first = kept.bell
        with pytest.raises(UsageError, match="no picture"), kept.use() as worker:
            worker.show("count_words", ["x = 1"])
        assert kept.ready
        assert kept.bell is not first
        assert kept.bell is not None
        assert kept.bell.is_alive()
    finally:
        kept.close()
        kept.bell.cancel()
