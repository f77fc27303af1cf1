"""A student's page as plain Markdown, as GitHub renders it, for what shows no HTML.

What people wrote stays what they wrote: no text of a verdict becomes a tag, a link, an image, a
heading or a formula, and nobody is mentioned by it. A word that a renderer would make something
of (`@name`, `#1`, `$x$`, an address) is set as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from softmarks.course.course import Course
from softmarks.reporting import tally, wording
from softmarks.reporting.html import LONGEST_LINE, MOST_LINES, Policy, told
from softmarks.reporting.inert import clip, inert
from softmarks.verdict import Check, ExerciseVerdict, Message, Verdict

# What marks up text wherever it stands, and what begins a list or underlines a heading.
MARKED = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])")
BEGINS = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[-+=]))")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
# Addresses, mentions, numbers of issues, formulas, emoji, commits.
LIVE = re.compile(r"[@#$]|\w\.[^\W\d_]{2}|www\.|:\S|\b[0-9a-f]{7,}\b", re.IGNORECASE)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
WORD = re.compile(rf"(?:{CODE.pattern}|\S)+")


def feedback_markdown(verdict: Verdict, *, policy: Policy, course: Course | None = None) -> str:
    """What ``feedback_html`` says, as GitHub-flavoured Markdown. It takes the same arguments."""
    blocks = _page(told(verdict, policy), tally.attained(verdict, course) if course else [])
    return "\n\n".join(blocks) + "\n"


def prose(text: str) -> str:
    """Text on one line that is shown as it stands; what stands in backquotes is code."""
    return " ".join(_lines(text))


def code(text: str) -> str:
    """Text on one line as code, whatever backquotes it holds."""
    text = " ".join(_clipped(text).split("\n"))
    fence = "`" * (_longest_run(text) + 1)
    edges = text[:1] + text[-1:]
    pad = " " if "`" in edges or edges == "  " else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text else ""


def fenced(text: str) -> str:
    """Lines as a block of code that nothing in them ends."""
    text = _clipped(text)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _page(verdict: Verdict, attained: list[tally.Attained]) -> Iterator[str]:
    yield f"# {prose(verdict.student) or code('?')}"
    yield f"{prose(verdict.course)}, version {prose(verdict.course_version)}"
    yield from _total(verdict)
    yield from _repairs(verdict.repairs)
    if verdict.unplaced:
        yield f"Belongs to no exercise: {', '.join(map(code, verdict.unplaced))}"
    if len(verdict.exercises) > 1:
        yield _table("Exercise", [(_title(one), _standing(one)) for one in verdict.exercises])
        if attained:
            yield _table("Learning outcome", [(one.says, _attained(one)) for one in attained])
    for exercise in verdict.exercises:
        yield from _exercise(exercise)
    yield "---"
    graded = f"Graded {wording.day(verdict.graded_at)} by Softmarks {prose(verdict.engine_version)}."
    yield f"{graded} {prose(wording.confinement_words(verdict.exercises))}"
    if any(exercise.checks for exercise in verdict.exercises):
        yield "A check that was **not reached** depends on another one that did not pass."


def _total(verdict: Verdict) -> Iterator[str]:
    if not any(map(wording.scored, verdict.exercises)):
        return
    if all(one.points is None for one in verdict.exercises):
        yield "**No mark yet**"
    else:
        yield f"**{wording.in_points(verdict.points)} of {wording.in_points(verdict.max_points)} points**"
    if not tally.complete(verdict):
        yield "Exercises without a mark are not in this total."


def _exercise(exercise: ExerciseVerdict) -> Iterator[str]:
    mark = f"**{wording.mark_words(exercise)}**, " if wording.mark_words(exercise) else ""
    yield f"## {prose(_title(exercise))}"
    yield f"{code(f'{exercise.assignment}/{exercise.exercise}')}: {mark}{wording.status_words(exercise)}"
    if exercise.note:
        yield "\\\n".join(_lines(exercise.note))
    yield from _repairs(exercise.repairs)
    for message in exercise.messages:
        yield from _message(message)
    if exercise.checks:
        yield "### Checks"
        with_points = any(check.max_points for check in exercise.checks)
        yield _listed(_check(check, with_points) for check in exercise.checks)


def _message(message: Message) -> Iterator[str]:
    yield f"### {prose(wording.heading(message))}"
    if len(message.checks) < message.failed:
        yield f"explains {len(message.checks)} of {wording.counted(message.failed, 'failed check')}"
    lines = {
        "Asked": message.asked,
        "Seen": message.difference,
        "Means": message.says,
        "Next": message.hint,
    }
    if any(lines.values()):
        yield _listed(f"**{label}:** {_indented(text)}" for label, text in lines.items() if text)
    if message.printed:
        yield "Printed:"
        yield fenced(message.printed)


def _check(check: Check, with_points: bool) -> str:
    sign = wording.SIGNS[wording.tone(check.outcome)]
    said = f"{sign} {prose(check.says)} ({prose(check.kind)}): **{wording.OUTCOME_WORDS[check.outcome]}**"
    if with_points:
        worth = f"{wording.in_points(check.points)} of {wording.in_points(check.max_points)}"
        said += f", {worth if check.max_points else 'no points'}"
    return f"{said}\\\n  {_indented(check.message)}" if check.message else said


def _repairs(repairs: Iterable[str]) -> Iterator[str]:
    if listed := _listed(f"Repaired: {prose(repair)}" for repair in repairs):
        yield listed


def _table(heading: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {prose(said).replace('|', '∣')} | {points} |" for said, points in rows]
    return "\n".join([f"| {heading} | Points |", "| :--- | ---: |", *lines])


def _title(exercise: ExerciseVerdict) -> str:
    return exercise.title or exercise.exercise


def _standing(exercise: ExerciseVerdict) -> str:
    mark = wording.mark_words(exercise)
    if exercise.status == "graded":
        return mark or wording.status_words(exercise)
    return wording.STATUS_WORDS[exercise.status]


def _attained(one: tally.Attained) -> str:
    if not one.max_points:
        return "no mark"
    return f"{wording.in_points(one.points)} of {wording.in_points(one.max_points)}"


def _listed(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _indented(text: str) -> str:
    """Lines of an item of a list."""
    return "\\\n  ".join(_lines(text))


def _lines(text: str) -> list[str]:
    """The lines of a text, each of them inert; empty ones are left out."""
    return [_line(line) for line in _clipped(text).split("\n") if line.strip()]


def _line(text: str) -> str:
    """One line; what stood in backquotes is code, and so is a word that a renderer would see more in."""
    return BEGINS.sub(r"\1\\", WORD.sub(lambda word: _word(word[0]), text.strip()))


def _word(word: str) -> str:
    plain, quoted = CODE.split(word)[::2], CODE.split(word)[1::2]
    if any(map(LIVE.search, plain)):
        return code(word)
    said = [_escaped(plain[0])]
    for inside, after in zip(quoted, plain[1:], strict=True):
        said += [code(inside), _escaped(after)]
    return "".join(said)


def _escaped(text: str) -> str:
    marked = MARKED.sub(lambda mark: f"\\{mark[0]}", text)
    return "".join(ENTITIES.get(char, char) for char in marked)


def _clipped(text: str) -> str:
    return inert(clip(text, LONGEST_LINE, MOST_LINES))


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
