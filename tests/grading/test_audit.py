"""An audit finds what a room lacks: each promise is broken once, and told."""

import shutil
from decimal import Decimal

import pytest

from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.course.lesson import build
from softmarks.course.rooms import room
from softmarks.course.scaffold import new_course, new_exercise
from softmarks.grading.audit import QUICK, Effort, audit_room, audit_rooms
from softmarks.grading.workers import Worker

NAME = "sum_of_squares"
SILENT = {"tell": lambda _words: None}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A new course with one exercise, printed."""
    root = tmp_path_factory.mktemp("fresh") / "course"
    new_course(root)
    build(load_course(root), root)
    return root


@pytest.fixture
def root(fresh, tmp_path):
    """A copy of it to break."""
    return shutil.copytree(fresh, tmp_path / "course")


def change(path, *edits):
    text = path.read_text()
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text)


def faults(root, effort=QUICK):
    """What an audit finds, without the address before each fault."""
    course = load_course(root)
    with Worker(root, "required") as worker:
        found = audit_room(worker, course, root, course.exercise(NAME), effort, **SILENT)
    return [fault.removeprefix(f"1_first/{NAME}: ") for fault in found.faults]


def test_a_check_without_a_reason(root):
    """A check that is never alone and quotes nothing is told."""
    hidden = root / "graders" / "1_first" / NAME / "test_hidden.py"
    change(hidden, ('@pytest.mark.enforces("The sum of the squares of some numbers.")\n', ""))
    change(
        root / "graders" / "1_first" / NAME / "misconceptions.py",
        (
            'id="nothing_is_zero",\n        edits=(',
            'id="nothing_is_zero",\n        edits=(("number**2", "number * 2"), ',
        ),
        ("keeps=(0.4, 0.9)", "keeps=(0.0, 0.9)"),
    )
    never = "is never the only check that a misconception fails, and quotes no sentence"
    assert faults(root) == [f"test_no_number_is_refused {never}"]


def test_a_sentence_that_nobody_said(root):
    """A quoted sentence must stand in the solution's text."""
    hidden = root / "graders" / "1_first" / NAME / "test_hidden.py"
    change(hidden, ("The sum of the squares of some numbers.", "The sum of all squares."))
    [told] = problems(load_course(root), root)
    assert 'the solution does not say "The sum of all squares."' in told
    assert "test_hidden.py:" in told


def test_a_suite_that_does_not_run(root):
    """It is a fault of its room, told beside those of others."""
    change(
        root / "graders" / "1_first" / NAME / "test_hidden.py",
        ("from softmarks.testing", "from softmark.testing"),
    )
    told = faults(root)
    assert told
    assert any("softmark" in one for one in told)


def test_a_band_that_one_seed_misses(root):
    """Marks that depend on the run seed are told with the seeds; the first alone would not show it."""
    hidden = root / "graders" / "1_first" / NAME / "test_hidden.py"
    change(
        hidden,
        (
            "from softmarks.testing import",
            "from softmarks.grading.student import session\nfrom softmarks.testing import",
        ),
        ("    must_raise(student", "    if session().seed == 3:\n        return\n    must_raise(student"),
    )
    assert faults(root) == []
    [told] = faults(root, Effort(right=1, reference=1, wrong=5))
    assert told.startswith("misconception nothing_is_zero is not caught (seeds 3)")


def test_wrong_bands_and_right_answers(root):
    """A band that is missed, a right answer that fails and a trivial one that keeps much are told."""
    place = root / "graders" / "1_first" / NAME
    change(
        place / "misconceptions.py",
        ("keeps=(0.4, 0.9)", "keeps=(0.1, 0.3)"),
        ('"return None"', '"return sum(squares)  # right"'),
    )
    change(place / "alternatives" / "running_total.py", ("total += number * number", "total += number"))
    told = faults(root)
    assert len(told) == 4
    assert told[0].startswith("running_total is right but fails the hidden suite: test_")
    assert told[1].startswith("running_total is right but fails the public suite: test_")
    assert told[2] == "misconception nothing_is_zero keeps 0.80 of the points, not 0.10 to 0.30"
    assert told[3] == "trivial answer returns_none keeps 1.00 of the points, more than 0.2"


def test_the_same_points_with_and_without_a_host(fresh):
    """A misconception gets the same points in this process as in a host; one that dies is told."""
    course = load_course(fresh)
    place = room(course, fresh, NAME)
    with Worker(fresh, "required") as worker:
        for mistake in place.misconceptions():
            source = mistake.apply(place.reference())
            points = worker.points(NAME, [(source, seed) for seed in range(3)])
            assert points == [worker.mark(NAME, [source]).points] * 3
        dying = place.reference().replace("return sum(squares)", "__import__('os')._exit(0)")
        programs = [(place.reference(), 0), (dying, 0), (place.reference(), 7)]
        assert worker.points(NAME, programs) == [Decimal(5), None, Decimal(5)]


def test_several_rooms_at_once(root):
    """Rooms are audited side by side and come back in their order."""
    new_exercise(root, load_course(root), "1_first/fold_list")
    new_exercise(root, load_course(root), "2_more/walk_list")
    build(load_course(root), root)
    course = load_course(root)
    found = audit_rooms(course, root, course.exercises, QUICK, 2, **SILENT)
    assert [each.exercise for each in found] == [NAME, "fold_list", "walk_list"]
    assert [each.faults for each in found] == [[], [], []]


def test_mutants_are_killed_or_explained(root):
    """One that survives is told, until its author says why it is the same program; no reason without one."""
    effort = Effort(right=1, reference=1, wrong=1, mutants=True)
    change(root / "solutions" / "1_first" / f"{NAME}.py", ("number**2", "number**2 + 0"))
    told = faults(root, effort)
    keeps = "a mutant keeps all points: squares = [number**2 + 0 for number in numbers] → "
    assert f"{keeps}squares = [number**2 - 0 for number in numbers]" in told
    reasons = [one.removeprefix("a mutant keeps all points: ").split(" → ") for one in told]
    listed = (f"- was: {was!r}\n  now: {now!r}\n  why: nothing is added\n" for was, now in reasons)
    text = "same:\n" + "".join(listed)
    equivalents = root / "graders" / "1_first" / NAME / "equivalents.yml"
    equivalents.write_text(text + "- {was: a, now: b, why: c}\n")
    assert faults(root, effort) == ["equivalents.yml explains a mutant that does not survive: a → b"]


def test_equivalents_that_cannot_be_read(root):
    """A fault in the file is told with its line."""
    path = root / "graders" / "1_first" / NAME / "equivalents.yml"
    path.write_text("same:\n- was: a\n  now: b\n")
    told = faults(root, Effort(right=1, reference=1, wrong=1, mutants=True))
    assert "equivalents.yml:2" in told[-1]
    assert "why" in told[-1]
