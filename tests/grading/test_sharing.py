"""A class is held in little memory, and nothing is changed by it."""

from __future__ import annotations

import tracemalloc

from softmarks.grading.sharing import Sharing
from softmarks.verdict import Verdict
from tests.reporting.made import make_verdict


def read(student):
    """A verdict as it is read from a file: nothing in it is shared with another one."""
    return Verdict.model_validate_json(make_verdict(student).model_dump_json())


def held(share):
    """Bytes that each of a hundred verdicts takes."""
    tracemalloc.start()
    try:
        verdicts = [share(read(f"student {number}")) for number in range(100)]
        return tracemalloc.get_traced_memory()[0] / len(verdicts)
    finally:
        tracemalloc.stop()


def test_a_verdict_is_the_same_and_takes_less():
    """Equal to the byte; a class of equal checks takes half of the memory at most."""
    assert Sharing()(read("Ada")) == read("Ada")
    assert held(Sharing()) < held(lambda verdict: verdict) / 2
