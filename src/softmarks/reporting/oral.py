"""Questions for an oral examination, each with its answer, for a terminal or for paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from softmarks.grading.altering import Alteration
from softmarks.grading.oral import QUESTIONS, Question, Tried
from softmarks.reporting.pen import Pen
from softmarks.reporting.terminal import barred
from softmarks.reporting.wording import OUTCOME_WORDS, counted, named
from softmarks.verdict import Check

MOST_CHECKS = 4  # that are named in an answer


def print_oral(console: Console, student: str, questions: Sequence[Question], tried: Sequence[Tried]) -> None:
    """Print what to ask a student, and what the answer is; where there are fewer than three, why."""
    pen = Pen(console)
    pen.show(pen.write(f"Questions for {student}", "bold"))
    pen.show(pen.write("Each is about one line of the student's own code. The answers were computed.", "dim"))
    for number, question in enumerate(questions, 1):
        pen.skip()
        _print_question(pen, number, question)
    if len(questions) < QUESTIONS:
        pen.skip()
        pen.show(pen.write(f"{counted(len(questions), 'question')}, not {QUESTIONS}:", "yellow"))
        for one in tried:
            pen.show(pen.write(f"{one.exercise}: {_why(one)}"), indent=2)


def _print_question(pen: Pen, number: int, question: Question) -> None:
    altered = question.alteration
    pen.show(pen.write(f"{number}  {question.source.exercise}", "bold"))
    where = f", in {altered.where}" if altered.where else ""
    pen.show(pen.write(f"{question.source.filename}{where}", "dim"), indent=3)
    pen.show(pen.write("─" * pen.width, "dim"))
    pen.show(pen.write(f"{question.line.capitalize()} {_reads(altered)}"), indent=3)
    pen.show(pen.write(altered.was, "cyan"), indent=7)
    if altered.now:
        pen.show(pen.write("If it read"), indent=3)
        pen.show(pen.write(altered.now, "cyan"), indent=7)
        pen.show(pen.write("what would change?", "bold"), indent=3)
    else:
        pen.show(pen.write("If this were left out, what would change?", "bold"), indent=3)
    pen.skip()
    pen.show(pen.write("For the examiner: after this change", "dim"), indent=3)
    pen.show(barred(pen, _answer(question), "green"), indent=3)


def _reads(altered: Alteration) -> str:
    return "reads" if altered.line == altered.last else "read"


def _answer(question: Question) -> Iterator[tuple[str, str]]:
    """What the altered program does, as labelled lines."""
    told = question.message
    if question.mistake:
        yield "mistake", named(question.mistake)
    for label, checks in (
        ("fails", question.fails),
        ("passes", question.passes),
        ("differs", question.other),
    ):
        if checks:
            yield label, _listed(checks, question.checks)
    if question.uncounted:
        number = counted(len(question.uncounted), "more check")
        yield "also", f"{number}: not counted any more, because a check that comes first fails"
    if told:
        yield "asked", told.asked
        yield "seen", told.difference
        if question.mistake or not (told.mistake and told.sure):  # a part of what is wrong would mislead
            rules = {f"The rule: {check.says}" for check in question.fails}
            yield "means", "" if told.says in rules else told.says


def _listed(checks: Sequence[Check], of: int) -> str:
    lines = [f"{len(checks)} of {counted(of, 'check')}:"]
    lines += [f"- {check.says} ({OUTCOME_WORDS[check.outcome]})" for check in checks[:MOST_CHECKS]]
    if len(checks) > MOST_CHECKS:
        lines.append(f"- and {len(checks) - MOST_CHECKS} more")
    return "\n".join(lines)


def _why(tried: Tried) -> str:
    if tried.why:
        return tried.why
    return (
        f"{counted(tried.graded, 'change')} tried; a check says something else after {tried.differ} of them"
    )
