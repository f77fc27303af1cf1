"""The course keeps its promises: every room, with the real engine."""

import pytest

from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.grading.audit import audit_room
from softmarks.grading.workers import Worker
from tests.conftest import ROOT

COURSE = load_course(ROOT)


@pytest.fixture(scope="module")
def worker(own_cache):
    """A worker that grades the course."""
    with Worker(ROOT, "required") as worker:
        yield worker


@pytest.mark.parametrize("name", [exercise.name for exercise in COURSE.exercises])
def test_a_room_keeps_its_promises(worker, name):
    """Right answers pass (two run seeds), mistakes lose marks within their band and are named."""
    found = audit_room(worker, COURSE, ROOT, COURSE.exercise(name), seeds=2, tell=lambda _words: None)
    assert found.faults == []
    assert found.alternatives.total >= 2 * 4
    assert found.caught.total >= 10
    assert found.trivial.total >= 3


def test_nothing_is_missing():
    """Files, names, hints, stubs: the course is complete."""
    assert problems(COURSE, ROOT) == []
