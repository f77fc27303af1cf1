"""A verdict dealt out to the cells of a notebook: pure."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softmarks.course.course import Kind
from softmarks.grading.unmarked import without_marks
from softmarks.notebook.marks import cell_verdicts, written_marks
from softmarks.notebook.stages import ANSWERS, STAGES, stage
from softmarks.verdict import Check, ExerciseVerdict, Outcome, deal
from tests.reporting.made import make_check, make_exercise, make_message

KINDS = {
    "shape": Kind(says="Right shape.", share=Decimal(2)),
    "values": Kind(says="Right values.", share=Decimal(5), needs=("shape",)),
    "mask": Kind(says="Sees no future.", share=Decimal(3), needs=("shape",)),
    "device": Kind(says="Follows.", share=Decimal(1), needs=("values",)),
    "state": Kind(says="Is saved.", share=Decimal(1), needs=("device", "mask")),
    "book": Kind(says="As printed.", share=Decimal(0)),
}
CELLS = ["sums-works", "sums-is-right", "sums-is-robust"]


def verdict(*checks: Check, **more: object) -> ExerciseVerdict:
    return make_exercise("sums", **{"checks": checks, "messages": (), "repairs": ("read as UTF-16",), **more})


def check(name: str, kind: str, outcome: Outcome = Outcome.PASSED, points: str = "1.00") -> Check:
    return make_check(name, outcome, kind=kind, max_points=points)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("shape", "works"),
        ("book", "works"),
        ("values", "is-right"),
        ("mask", "is-right"),
        ("device", "is-robust"),
        ("state", "is-robust"),
    ],
)
def test_a_kind_has_the_stage_of_its_needs(kind: str, expected: str) -> None:
    """What needs nothing is whether it works; what needs that, whether it is right; all else is robust."""
    assert stage(kind, KINDS) == expected


def test_each_check_is_in_the_cell_of_its_stage() -> None:
    """With its points; a cell's points are those of its checks."""
    parts = cell_verdicts(
        verdict(
            check("a", "shape", points="0.50"),
            check("b", "values", points="2.25"),
            check("c", "mask", Outcome.WRONG_VALUE, "1.25"),
            check("d", "device", Outcome.NOT_REACHED, "0.75"),
        ),
        CELLS,
        KINDS,
        (),
    )
    assert {name: [one.name for one in part.checks] for name, part in parts.items()} == {
        "sums-works": ["a"],
        "sums-is-right": ["b", "c"],
        "sums-is-robust": ["d"],
    }
    assert [(part.points, part.max_points) for part in parts.values()] == [
        (Decimal("0.50"), Decimal("0.50")),
        (Decimal("2.25"), Decimal("3.50")),
        (Decimal(0), Decimal("0.75")),
    ]


def test_a_check_without_a_cell_is_in_the_first() -> None:
    """What is worth nothing has no cell of its own; it is shown all the same."""
    parts = cell_verdicts(verdict(check("a", "values"), check("b", "book", points="0")), CELLS[1:], KINDS, ())
    assert [one.name for one in parts["sums-is-right"].checks] == ["a", "b"]
    assert parts["sums-is-robust"].points is None


def test_a_mistake_is_told_once() -> None:
    """With the first check that it explains, though it explains checks of two cells."""
    message = make_message(checks=("b", "a", "c"))
    checks = [
        check(name, kind, Outcome.WRONG_VALUE)
        for name, kind in (("a", "shape"), ("b", "mask"), ("c", "state"))
    ]
    parts = cell_verdicts(verdict(*checks, messages=(message,)), CELLS, KINDS, ())
    assert [len(part.messages) for part in parts.values()] == [0, 1, 0]


def test_what_concerns_the_exercise_is_in_the_first_cell() -> None:
    """Repairs and the note, whichever cell a student has put first."""
    parts = cell_verdicts(
        verdict(check("a", "shape"), note="read this"), ["sums-is-right", "sums-works"], KINDS, ()
    )
    assert [(part.repairs, part.note) for part in parts.values()] == [
        (("read as UTF-16",), "read this"),
        ((), ""),
    ]


@pytest.mark.parametrize("status", ["ungradable", "grader-error"])
def test_without_a_mark_no_cell_has_points(status: str, toy_room) -> None:
    """None is not zero."""
    nothing = without_marks(toy_room("caesar").exercise, status, None, "it is cut off")
    parts = cell_verdicts(nothing, CELLS, KINDS, ())
    assert [part.points for part in parts.values()] == [None, None, None]
    assert [part.note for part in parts.values()] == ["it is cut off", "", ""]


def sheet(*outcomes: Outcome, status: str = "needs-a-person") -> ExerciseVerdict:
    """A verdict on two letters and what is asked in words."""
    names = ["first", "second", "why", "how"]
    checks = [
        make_check(name, outcome, kind="question", max_points="1.50")
        for name, outcome in zip(names, outcomes, strict=False)
    ]
    return make_exercise("quiz", checks=tuple(checks), messages=(), status=status, points=None)


def test_letters_have_one_cell_and_words_their_own() -> None:
    """What a person judges is no part of the marks of a machine."""
    found = sheet(Outcome.PASSED, Outcome.WRONG_VALUE, Outcome.NEEDS_A_PERSON, Outcome.MISSING)
    parts = cell_verdicts(found, [f"quiz-{ANSWERS}"], KINDS, ("why", "how"))
    assert [(part.points, part.max_points) for part in parts.values()] == [(Decimal("1.50"), Decimal("3.00"))]
    assert written_marks(found, ["quiz-why", "quiz-how", "cell-of-an-instructor"]) == {
        "quiz-why": None,
        "quiz-how": Decimal(0),
    }


def test_words_that_cannot_be_read_wait_for_a_person() -> None:
    """Nothing is known of them: no answer is something else."""
    assert written_marks(sheet(status="ungradable"), ["quiz-why", "mine"]) == {"quiz-why": None, "mine": None}


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.booleans()), min_size=1, max_size=30),
    st.integers(min_value=3000, max_value=12345),
    st.sets(st.sampled_from(STAGES), min_size=1),
)
def test_cells_add_up_to_the_verdict(drawn: list[tuple[str, bool]], cents: int, left: set[str]) -> None:
    """For any suite and any cells: no cent is lost or given twice, and every check is in one cell."""
    kinds = {f"check_{n}": kind for n, (kind, _) in enumerate(drawn)}
    shares = {name: Fraction(kind.share) for name, kind in KINDS.items()}
    if set(kinds.values()) == {"book"}:
        kinds["check_0"] = "shape"
    total = Decimal(cents).scaleb(-2)
    worth = deal(total, kinds, shares)
    outcomes = [Outcome.PASSED if passed else Outcome.RAISED for _, passed in drawn]
    checks = [
        make_check(name, outcome, kind=kinds[name], max_points=str(worth[name]))
        for name, outcome in zip(kinds, outcomes, strict=True)
    ]
    parts = cell_verdicts(verdict(*checks), [f"sums-{name}" for name in STAGES if name in left], KINDS, ())
    assert sum((part.max_points for part in parts.values()), Decimal(0)) == total
    assert sum((part.points or Decimal(0) for part in parts.values()), Decimal(0)) == sum(
        c.points for c in checks
    )
    assert sorted(c.name for part in parts.values() for c in part.checks) == sorted(kinds)
