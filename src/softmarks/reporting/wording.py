"""The few words that every layout shares: outcomes, marks, counts, confinement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Literal

from softmarks.verdict import Check, ExerciseVerdict, Message, Outcome

OUTCOME_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.WRONG_VALUE: "wrong value",
    Outcome.WRONG_SHAPE: "wrong shape",
    Outcome.WRONG_DTYPE: "wrong dtype",
    Outcome.WRONG_DEVICE: "wrong device",
    Outcome.NOT_FINITE: "not finite",
    Outcome.INPUT_MODIFIED: "input modified",
    Outcome.RAISED: "raised an error",
    Outcome.TIMED_OUT: "ran out of time",
    Outcome.OUT_OF_MEMORY: "out of memory",
    Outcome.EXITED: "left the program",
    Outcome.KILLED: "crashed",
    Outcome.FLOODED: "sent too much",
    Outcome.MISSING: "not written yet",
    Outcome.NOT_REACHED: "not reached",
    Outcome.NEEDS_A_PERSON: "read by a person",
    Outcome.GRADER_ERROR: "grader error",
}

STATUS_WORDS = {
    "missing": "missing",
    "ungradable": "ungradable",
    "needs-a-person": "by hand",
    "grader-error": "error",
    "excused": "excused",
}

STATUS_SENTENCES = {
    "missing": "missing",
    "ungradable": "ungradable",
    "needs-a-person": "read by a person",
    "grader-error": "grader error, not yours",
    "excused": "excused",
}

NOT_RUN = frozenset({Outcome.MISSING, Outcome.NOT_REACHED, Outcome.NEEDS_A_PERSON})

Tone = Literal["good", "bad", "quiet", "caution"]
SIGNS: dict[Tone, str] = {"good": "✓", "bad": "✗", "quiet": "·", "caution": "!"}


def tone(outcome: Outcome) -> Tone:
    """How loudly an outcome speaks. Every layout also says it in words and with a sign."""
    if outcome is Outcome.PASSED:
        return "good"
    if outcome in (Outcome.NOT_REACHED, Outcome.MISSING):
        return "quiet"
    if outcome in (Outcome.NEEDS_A_PERSON, Outcome.GRADER_ERROR):
        return "caution"
    return "bad"


def in_points(points: Decimal) -> str:
    """Points with two decimals."""
    return f"{points:.2f}"


def heading(message: Message) -> str:
    """The name of the mistake that a message is about, as far as it has one."""
    return named(message.mistake, message.sure) if message.mistake else "To repair"


def named(identifier: str, sure: bool = True) -> str:
    """The id of a mistake as a heading: ``off-by-one`` as ``Off by one``, and as a guess where it is one.

    Several ids that are joined by ``or`` become ``One of: off by one, or too short``.
    """
    first, *others = map(_in_words, identifier.split(" or "))
    if others:
        listed = f"one of: {', '.join([first, *others[:-1]])}, or {others[-1]}"
        return _capitalised(listed if sure else f"perhaps {listed}")
    return _capitalised(first) if sure else f"Perhaps: {_capitalised(first)}"


def _in_words(identifier: str) -> str:
    """An id as words; the sizes in it, such as ``d_out``, stay as they are written in code."""
    return re.sub(r"\bd (\w+)", r"d_\1", re.sub("[-_]", " ", identifier))


def _capitalised(words: str) -> str:
    return words if words.startswith("d_") else words[:1].upper() + words[1:]


def counted(number: int, thing: str) -> str:
    """``1 check``, ``2 checks``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def day(moment: datetime) -> str:
    """A moment for people: ``29 November 2026, 18:05 UTC``."""
    return f"{moment.day} {moment:%B %Y, %H:%M} {moment.tzname() or ''}".rstrip()


def scored(exercise: ExerciseVerdict) -> bool:
    """Whether marks mean anything here: a suite may consist of checks that are worth nothing."""
    return not exercise.checks or any(check.max_points for check in exercise.checks)


def mark_words(exercise: ExerciseVerdict) -> str:
    """An exercise's mark: ``3.50 of 5.00``; nothing where no check is worth anything."""
    if not scored(exercise):
        return ""
    if exercise.points is None:
        return f"no mark (of {in_points(exercise.max_points)})"
    return f"{in_points(exercise.points)} of {in_points(exercise.max_points)}"


def status_words(exercise: ExerciseVerdict) -> str:
    """How an exercise stands: how many checks passed, or why it has no mark."""
    if exercise.status != "graded":
        return STATUS_SENTENCES[exercise.status]
    passed = sum(check.outcome is Outcome.PASSED for check in exercise.checks)
    kind = "public check" if exercise.held_back else "check"
    if all_passed(exercise):
        return f"{kind}s passed" if exercise.held_back else "all checks passed"
    return f"{passed} of {counted(len(exercise.checks), kind)} passed"


def all_passed(exercise: ExerciseVerdict) -> bool:
    """Whether every check passed; unlike with ``all_right``, an answer that waits for a person has not."""
    return bool(exercise.checks) and all(check.outcome is Outcome.PASSED for check in exercise.checks)


def passed_words(exercise: ExerciseVerdict) -> str:
    """How many checks of which kinds passed, and were left open: ``3 checks passed: shape, 2 values``."""
    kinds = Counter(check.kind for check in exercise.checks if check.outcome is Outcome.PASSED)
    listed = ", ".join(kind if number == 1 else f"{number} {kind}" for kind, number in kinds.items())
    left = sum(check.outcome is Outcome.NEEDS_A_PERSON for check in exercise.checks)
    said = f"{counted(kinds.total(), 'public check' if exercise.held_back else 'check')} passed: {listed}"
    return f"{said}; {left} read by a person" if left else said


def unexplained(exercise: ExerciseVerdict) -> tuple[Check, ...]:
    """Checks with a message of their own that no message of the exercise covers."""
    explained = {name for message in exercise.messages for name in message.checks}
    return tuple(
        check
        for check in exercise.checks
        if check.message and check.name not in explained and check.outcome is not Outcome.NOT_REACHED
    )


def confinement_words(exercises: Iterable[ExerciseVerdict]) -> str:
    """Whether the work was run behind a wall, and behind which one."""
    ran = [
        exercise
        for exercise in exercises
        if exercise.confined or any(check.outcome not in NOT_RUN for check in exercise.checks)
    ]
    if not ran:
        return "Nothing was run."
    walls = list(dict.fromkeys(exercise.confinement for exercise in ran if exercise.confined))
    open_air = sum(not exercise.confined for exercise in ran)
    if not open_air:
        return f"Run confined ({', '.join(walls)})."
    if not walls:
        return "Run unconfined: nothing stood between this program and the machine."
    return f"Run confined ({', '.join(walls)}), but {counted(open_air, 'exercise')} unconfined."
