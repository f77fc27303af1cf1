"""Verdicts made by hand, for the tests of their layout."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import Any

from softmarks.course.course import Course, Exercise, load_course
from softmarks.verdict import Check, ExerciseVerdict, Message, Outcome, Verdict
from tests.conftest import ROOT

NAMES = (
    "Ada Lovelace",
    "عبد الرحمن بن خلدون الحضرمي الإشبيلي",
    "Wolfeschlegelsteinhausenbergerdorff" * 9,
    "O'Neill, Seán (group 7)",
    "Σοφία Κωνσταντίνου",
    "李小龙",
    "אליעזר בן־יהודה",
)

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[bold red]x[/bold red] [link=file:///etc]y[/link] :smile:",
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "\u202egnp.exe\u2066\u200f",
    "n" * 300,
    "lone \ud800 surrogate",
    "{{ 7 * 7 }}{% raw %}",
    "a\rb\x00c\u2028d",
    r"$\frac{ 李小龙 $",
)

COURSE = load_course(ROOT)
WHEN = datetime(2026, 11, 29, 18, 5, tzinfo=UTC)


def a_course(title: str = "Attention") -> Course:
    """The attention course, to which these exercises belong, under any title."""
    return COURSE.model_copy(update={"title": title})


def make_check(name: str = "test_rows", outcome: Outcome = Outcome.PASSED, **fields: Any) -> Check:
    """A check of two points."""
    most = Decimal(fields.pop("max_points", "2.00"))
    passed = outcome is Outcome.PASSED
    given = {"kind": "values", "says": "Rows of weights sum to one.", "points": most if passed else 0}
    return Check(name=name, outcome=outcome, max_points=most, **{**given, **fields})


def make_message(**fields: Any) -> Message:
    """A recognised mistake that explains two of three failed checks."""
    given: dict[str, Any] = {
        "mistake": "mask-after-softmax",
        "checks": ("test_future", "test_rows"),
        "failed": 3,
        "asked": "`CausalAttention(d_in=10, d_out=12, context_length=9)` on x of shape (2, 7, 10)",
        "difference": "the context differs first at batch 0, token 1; your code gave 0.4121 there",
        "says": "The mask is applied after the softmax, so rows no longer sum to one.",
        "hint": "Read the hint “formula”, then run `softmarks check causal_attention`.",
    }
    return Message(**{**given, **fields})


def make_exercise(exercise: str = "causal_attention", **fields: Any) -> ExerciseVerdict:
    """An exercise with one check of each sort: passed, failed, not reached, worth nothing."""
    given: dict[str, Any] = {
        "assignment": "4_causal",
        "title": "Causal attention with dropout",
        "status": "graded",
        "points": "3.50",
        "max_points": "10.00",
        "confined": True,
        "confinement": "Landlock 6, seccomp",
        "checks": (
            make_check(
                "test_shape", kind="shape", says="Output has shape (batch, tokens, d_out).", max_points="3.50"
            ),
            make_check(
                "test_future", Outcome.WRONG_VALUE, kind="mask", says="A later token moves no earlier output."
            ),
            make_check("test_rows", Outcome.WRONG_VALUE),
            make_check("test_device", Outcome.NOT_REACHED, kind="device", says="Buffers follow the module."),
            make_check("test_slow", Outcome.TIMED_OUT, kind="vectorised", max_points="0.50"),
            make_check(
                "test_book",
                Outcome.PASSED,
                kind="book",
                says="Matches the book’s numbers.",
                max_points="0.00",
            ),
        ),
        "mistakes": ("mask-after-softmax",),
        "messages": (make_message(),),
    }
    return ExerciseVerdict(exercise=exercise, **{**given, **fields})


def all_right(exercise: str = "causal_mask", **fields: Any) -> ExerciseVerdict:
    """An exercise with full marks."""
    given: dict[str, Any] = {
        "title": "The causal mask",
        "points": "4.00",
        "max_points": "4.00",
        "checks": (make_check("test_shape"), make_check("test_values")),
        "mistakes": (),
        "messages": (),
    }
    return make_exercise(exercise, **{**given, **fields})


def without_mark(exercise: str = "split_heads", status: str = "ungradable", **fields: Any) -> ExerciseVerdict:
    """An exercise that could not be graded."""
    given: dict[str, Any] = {
        "assignment": "5_multi_head",
        "title": "Split and merge heads",
        "points": None if status != "missing" else "0.00",
        "max_points": "5.00",
        "checks": (),
        "mistakes": (),
        "messages": (),
        "note": "the notebook is cut off in the middle",
        "confined": False,
        "confinement": "none",
    }
    return make_exercise(exercise, status=status, **{**given, **fields})


def make_verdict(student: str = "Ada Lovelace", *exercises: ExerciseVerdict, **fields: Any) -> Verdict:
    """A submission of three exercises unless told otherwise."""
    given: dict[str, Any] = {
        "course": "attention",
        "course_version": "1.0",
        "engine_version": "0.1.0",
        "graded_at": WHEN,
        "exercises": exercises or (all_right(), make_exercise(), without_mark()),
    }
    return Verdict(student=student, **{**given, **fields})


RIGHT, WRONG = all_right(), make_exercise()


def make_class(students: int, exercises: Sequence[Exercise] = COURSE.exercises) -> list[Verdict]:
    """A class with all that happens in one: full marks and none, slips, hangs, lost files, odd names.

    Every seventh has a name of ``NAMES``. The same class every time.
    """
    dice = Random(students)
    return [_made_student(number, exercises, dice) for number in range(students)]


def _made_student(number: int, exercises: Sequence[Exercise], dice: Random) -> Verdict:
    odd = NAMES[number // 7 % len(NAMES)] + (f" {number}" if number >= 7 * len(NAMES) else "")
    student = odd if number % 7 == 0 else f"student_{number:03}"
    if number % 50 == 2:
        note = "the zip is damaged and cannot be read"
        made = [without_mark(one.name, note=note, **_about(one)) for one in exercises]
    elif number % 23 == 5:
        made = [
            without_mark(one.name, "missing", note="nothing handed in", **_about(one)) for one in exercises
        ]
    else:
        skill = dice.betavariate(5, 2)
        made = [_made_exercise(one, skill, dice) for one in exercises]
    return make_verdict(student, *made)


def _made_exercise(one: Exercise, skill: float, dice: Random) -> ExerciseVerdict:
    if one.judged and dice.random() < 0.1:
        return without_mark(one.name, "needs-a-person", note="answers in words", **_about(one))
    if (luck := dice.random()) < 0.03:
        status = dice.choice(["missing", "ungradable", "grader-error"])
        return without_mark(one.name, status, note="", **_about(one))
    if luck < 0.2 + 0.8 * skill:
        return RIGHT.model_copy(update={"exercise": one.name, "points": one.points, **_about(one)})
    mistake = f"{dice.choice(['no', 'late', 'turned'])}-{one.name.replace('_', '-')}"
    share = Decimal(dice.randrange(0, 90)) / 100
    made = {
        "exercise": one.name,
        "points": (one.points * share).quantize(Decimal("0.01")),
        "mistakes": (mistake,),
        "messages": (make_message(mistake=mistake),),
        "checks": WRONG.checks if luck > 0.97 else WRONG.checks[:4],
    }
    return WRONG.model_copy(update={**made, **_about(one)})


def _about(one: Exercise) -> dict[str, Any]:
    return {"title": one.title, "assignment": one.assignment, "max_points": one.points}
