"""The course keeps its promises: every outcome is graded, every room sound, with the real engine."""

import doctest
import re

import pytest

from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.course.sheets import read_sheet
from softmarks.course.suites import read_suite
from softmarks.course.text import read_text
from softmarks.grading.audit import Effort, audit_room
from tests.conftest import ROOT

COURSE = load_course(ROOT)
ROOMS = [room(COURSE, ROOT, exercise.name) for exercise in COURSE.exercises]
PROGRAMS = [place for place in ROOMS if not place.is_sheet]
PICTURES = [place for place in PROGRAMS if place.picture.is_file()]
MOST_LINES = 32  # of a statement


def by_name(place):
    return place.exercise.name


def told_secrets(place, messages):
    """Lines of solution or hidden suite that stand in what students are told, beside their own lines."""
    told = [re.sub(r"\(your line \d+: .*\)", "", message) for message in messages]
    public = read_text(place.stub) + read_text(place.public)
    lines = {line.strip() for path in (place.solution, place.hidden) for line in read_text(path).splitlines()}
    secret = {line for line in lines if len(line) > 25 and line not in public and "what=" not in line}
    return [line for line in secret for message in told if line in message]


@pytest.mark.parametrize("place", ROOMS, ids=by_name)
def test_a_room_keeps_its_promises(course_worker, place):
    """Right answers pass, mistakes lose marks within their band and are named.

    With one run seed; `make audit` plays all with twenty and more.
    """
    effort = Effort(right=1, reference=2, wrong=1)
    found = audit_room(course_worker, COURSE, ROOT, place.exercise, effort, lambda _words: None)
    assert found.faults == []
    if place.is_sheet:
        return
    assert told_secrets(place, found.messages) == []
    a_class = any(name[0].isupper() for name in place.exercise.answers)
    assert len(place.alternatives) >= (4 if a_class else 2)
    assert found.caught.total >= (20 if a_class else 8)
    assert found.trivial.total >= 3


def test_nothing_is_missing():
    """Files, names, hints, stubs: the course is complete."""
    assert problems(COURSE, ROOT) == []


def graded(place):
    """The names of what is graded in an exercise: the checks of its suite, or its questions."""
    if place.is_sheet:
        return [asked.id for asked in read_sheet(place.sheet).asked]
    worth = COURSE.shares(place.exercise)
    return [check.name for check in read_suite(place.hidden).checks if worth[check.marks[0]]]


@pytest.mark.parametrize("outcome", COURSE.outcomes, ids=lambda outcome: outcome.id)
def test_an_outcome_is_taught_and_graded(outcome):
    """Each outcome has a program or a sheet whose checks are worth points, and is on a track."""
    places = [place for place in ROOMS if outcome.id in place.exercise.outcomes]
    assert any(graded(place) for place in places)
    assert any(place.exercise.name in track.exercises for place in places for track in COURSE.tracks)


def test_both_documents_are_covered():
    """The nine outcomes of the chapter and the four lessons each have outcomes of the course."""
    sources = [outcome.source for outcome in COURSE.outcomes]
    assert sum(source.startswith("Coding attention mechanisms, section") for source in sources) == 9
    for lesson in ("7.1", "7.2", "7.3", "7.4"):
        assert any(source == f"Module 7, lesson {lesson}" for source in sources), lesson


def test_tracks_follow_the_assignments():
    """A track's exercises are in the order of the course; the lecture's track has every one."""
    names = [exercise.name for exercise in COURSE.exercises]
    for track in COURSE.tracks:
        assert list(track.exercises) == sorted(track.exercises, key=names.index), track.id
    assert [list(track.exercises) for track in COURSE.tracks if track.id == "lecture"] == [names]


@pytest.mark.parametrize("place", PROGRAMS, ids=by_name)
def test_a_statement_is_short_and_says_what_to_expect(place):
    """Title, minutes and number of lines first, then no more than a screen, with what is new."""
    statement = place.stub.read_text(encoding="utf-8").split("\n\n\n")[0].split("# %%\n")[0]
    lines = [line for line in statement.splitlines() if line.strip("# ")]
    assert len(lines) <= MOST_LINES
    assert re.match(rf"# {place.exercise.minutes} minutes[,;]", lines[2]), lines[2]
    assert "New here" in statement
    assert "$" in statement


@pytest.mark.parametrize("place", PROGRAMS, ids=by_name)
def test_the_example_of_a_docstring_runs(place, monkeypatch):
    """Each answer's docstring says what is refused; the examples hold with the reference."""
    if place.building_blocks:
        monkeypatch.syspath_prepend(str(place.building_blocks.parent))
    source = place.reference()
    space = {"__name__": place.exercise.name}
    exec(compile(source, str(place.solution), "exec"), space)
    runner, finder = doctest.DocTestRunner(verbose=False), doctest.DocTestFinder()
    for name in place.exercise.answers:
        tests = finder.find(space[name], name, globs=dict(space), module=False)
        assert "Errors:" in space[name].__doc__, name
        for test in tests:
            runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("place", PICTURES, ids=by_name)
def test_a_picture_shows_the_reference_and_survives_others(course_worker, place):
    """The reference looks as it is meant; answers without thought are drawn, or told why not."""
    reference = place.reference()
    assert [panel.wrong for panel in course_worker.show(by_name(place), [reference]) if panel.wrong] == []
    for thoughtless in place.trivial():
        for panel in course_worker.show(by_name(place), [thoughtless.apply(reference)]):
            assert panel.own.rows or panel.own.problem
