"""A verdict as the ``results.json`` that Gradescope reads when its autograder has run.

The fields are those of Gradescope's "Autograder specifications". Points stand once: the entry of an exercise
has its mark, those of its checks say in words what they brought. An exercise without a mark has an entry
without a score. What the feedback policy keeps from students stands in entries that are ``hidden`` from them.
All texts are plain: Markdown or HTML would be a student's to write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from softmarks.reporting.html import LONGEST_LINE, MOST_LINES, Policy, as_told
from softmarks.reporting.inert import clip, inert
from softmarks.reporting.wording import (
    OUTCOME_WORDS,
    STATUS_SENTENCES,
    all_passed,
    confinement_words,
    counted,
    heading,
    in_points,
    mark_words,
    status_words,
    unexplained,
)
from softmarks.verdict import Check, ExerciseVerdict, Message, Outcome, Points, Verdict

MOST_FILES = 5

Visibility = Literal["visible", "after_due_date", "hidden"]


class Entry(BaseModel):
    """One of Gradescope's "tests"."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    name_format: Literal["text"] = "text"
    number: str | None = None
    status: Literal["passed", "failed"] | None = None
    score: Points | None = None
    max_score: Points | None = None
    output: str
    output_format: Literal["text"] = "text"
    visibility: Visibility = "visible"


class GradescopeResults(BaseModel):
    """All that Gradescope is told of a submission."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: Points
    output: str
    output_format: Literal["text"] = "text"
    stdout_visibility: Literal["hidden"] = "hidden"
    tests: tuple[Entry, ...]


def results_json(verdict: Verdict, policy: Policy, sheets: Collection[str], unproved: str) -> str:
    """The text of ``results.json``.

    ``sheets`` are the exercises that are question sheets: how one fared is shown after the due date, because
    letters could be tried one after the other until they are right. ``unproved`` says why the wall around
    students' programs could not be proved; "" when it holds.
    """
    entries: list[Entry] = []
    late = [one for one in verdict.exercises if one.exercise in sheets and one.checks]
    for number, exercise in enumerate(verdict.exercises, start=1):
        shown: Visibility = "after_due_date" if exercise in late else "visible"
        entries += _entries(exercise, as_told(exercise, policy), str(number), shown)
    entries.append(_how_it_was_run(verdict.exercises, unproved))
    results = GradescopeResults(
        score=verdict.points, output=_plain(_overview(verdict, late)), tests=tuple(entries)
    )
    return results.model_dump_json(indent=1, exclude_none=True) + "\n"


def _entries(
    exercise: ExerciseVerdict, told: ExerciseVerdict, number: str, shown: Visibility
) -> Iterator[Entry]:
    """The mark of an exercise, its checks, and for instructors what the student is not told."""
    marked = exercise.points is not None
    passed = all_passed(exercise)
    yield Entry(
        name=_plain([f"{exercise.exercise}: {exercise.title}"]),
        number=number,
        status=("passed" if passed else "failed") if marked else None,
        score=exercise.points,
        max_score=exercise.max_points if marked else None,
        output=_plain([mark_words(exercise), status_words(exercise), exercise.note, *_messages(told)]),
        visibility=shown,
    )
    for position, check in enumerate(told.checks, start=1):
        judged = check.outcome is not Outcome.NEEDS_A_PERSON
        yield Entry(
            name=_plain([f"{exercise.exercise}: {check.says or check.name}"]),
            number=f"{number}.{position}",
            status=("passed" if check.outcome is Outcome.PASSED else "failed") if judged else None,
            output=_plain(_of_check(check)),
            visibility=shown,
        )
    if told != exercise:
        kept_back = [*_messages(exercise), *(_own_words(check) for check in unexplained(exercise))]
        if kept_back:
            yield Entry(
                name=f"{exercise.exercise}: what the student is not told",
                output=_plain(kept_back),
                visibility="hidden",
            )


def _messages(exercise: ExerciseVerdict) -> Iterator[str]:
    """A paragraph for each mistake."""
    for message in exercise.messages:
        yield from _message(message)


def _message(message: Message) -> Iterator[str]:
    yield f"\n{heading(message)}"
    if len(message.checks) < message.failed:
        yield f"(explains {len(message.checks)} of {counted(message.failed, 'failed check')})"
    for label, text in (
        ("Asked", message.asked),
        ("Seen", message.difference),
        ("Means", message.says),
        ("Next", message.hint),
        ("Printed", message.printed),
    ):
        if text:
            yield f"{label}: {text}"


def _of_check(check: Check) -> Iterator[str]:
    """How a check ended, what it brought, and its own words."""
    brought = f"{in_points(check.points)} of {in_points(check.max_points)} points"
    yield f"{OUTCOME_WORDS[check.outcome]}; {brought if check.max_points else 'no points'}"
    if check.outcome is Outcome.NOT_REACHED:
        yield "It depends on a check that did not pass."
    if check.message:
        yield check.message
    if check.answer:
        yield f"What was written:\n{check.answer}"


def _own_words(check: Check) -> str:
    return f"\n{check.says or check.name}\n{check.message}"


def _overview(verdict: Verdict, late: Collection[ExerciseVerdict]) -> Iterator[str]:
    """What is said above everything, at once, so nothing of marks that wait for the due date."""
    yield f"{verdict.course} {verdict.course_version}, graded by Softmarks {verdict.engine_version}."
    yield from (f"Repaired: {repair}" for repair in verdict.repairs)
    if verdict.unplaced:
        more = len(verdict.unplaced) - MOST_FILES
        listed = ", ".join(verdict.unplaced[:MOST_FILES])
        tail = f" and {counted(more, 'more file')}" if more > 0 else ""
        yield f"Belongs to no exercise: {listed}{tail}"
    for exercise in verdict.exercises:
        yield from (f"{exercise.exercise}: repaired: {repair}" for repair in exercise.repairs)
        if exercise.note and exercise not in late:
            yield f"{exercise.exercise}: {exercise.note}"
    for exercise in verdict.exercises:
        if exercise.points is None:
            waits = STATUS_SENTENCES[exercise.status]
            yield f"{exercise.exercise} has no mark yet ({waits}): it is not in the total, and is not a zero."
    if late:
        yield f"Shown after the due date: {', '.join(one.exercise for one in late)}"


def _how_it_was_run(exercises: Collection[ExerciseVerdict], unproved: str) -> Entry:
    """For instructors: whether a wall stood around the student's programs."""
    lines = [confinement_words(exercises)]
    if unproved:
        lines += [
            f"{unproved[0].upper()}{unproved[1:]}.",
            "Gradescope's container, one for each submission, still stands between students. But a program "
            "without a wall can read the hidden suites, and write its own results: look at it.",
        ]
    return Entry(
        name="How the programs were run",
        status="failed" if unproved else "passed",
        output=_plain(lines),
        visibility="hidden",
    )


def _plain(lines: Iterable[str]) -> str:
    """Texts, each clipped and made harmless, on lines of their own; empty ones are left out."""
    return "\n".join(inert(clip(line, LONGEST_LINE, MOST_LINES)) for line in lines if line)
