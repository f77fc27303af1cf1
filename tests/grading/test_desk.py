"""No desk grades before the wall has been proved, however many open at once."""

from __future__ import annotations

import pytest

from softmarks.errors import NotConfined
from softmarks.grading import desk
from tests.conftest import TOY

WHICH = (str(TOY), False, 0)


class NoProof:
    """A worker that cannot show that the wall holds, though it says that there is one."""

    def __init__(self, _root, wall):
        self.wall = wall

    def wait(self):
        if self.wall == "proved":
            raise NotConfined("it does not hold")

    def close(self):
        pass


def test_who_relies_on_a_proof_that_failed_is_no_proof(monkeypatch):
    """The first desk is gone and the second still there when a third opens: it must not grade either."""
    monkeypatch.setattr(desk, "Worker", NoProof)
    first = desk._Desk(*WHICH, first=None)
    second = desk._Desk(*WHICH, first=first)
    assert (first.worker.wall, second.worker.wall) == ("proved", "required")
    with pytest.raises(NotConfined):
        first.proof.await_it()
    monkeypatch.setattr(desk, "_desks", {WHICH: [second]})
    with pytest.raises(NotConfined):
        desk._opened(WHICH)
    assert desk._desks == {WHICH: [second]}
