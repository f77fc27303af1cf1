"""Mark a question sheet: read the student's answers out of the program, and explain each wrong choice.

The program is run like any other, in a host. A letter is compared here; what is written in words
waits for a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from softmarks.course.formulas import readable
from softmarks.course.sheets import ANSWERS, FREE_ANSWERS, KIND, AskedQuestion, AskedSheet, Question, Sheet
from softmarks.errors import GraderError
from softmarks.grading.assertions import read
from softmarks.grading.checks import PASSED, Ending, ending
from softmarks.grading.marking import NOTHING
from softmarks.grading.program import Program
from softmarks.verdict import Check, Message, Outcome

AnySheet = Sheet | AskedSheet

MOST_TEXT = 10_000  # characters of a free answer
UNANSWERED = Ending(Outcome.MISSING)  # nothing to add: the outcome says so
FOR_A_PERSON = Ending(Outcome.NEEDS_A_PERSON)


@dataclass(frozen=True)
class Answers:
    """What a student answered: letters by question, texts by free question; or how reading them ended."""

    letters: Mapping[str, str]
    texts: Mapping[str, str]
    no_letters: Ending | None = None
    no_texts: Ending | None = None


def read_answers(sheet: AnySheet, program: Program) -> Answers:
    """Run the student's file and read the answers; closes the program. Raises GraderError."""
    try:
        letters, no_letters = _read_dictionary(program, ANSWERS)
        texts, no_texts = _read_dictionary(program, FREE_ANSWERS) if sheet.free else ({}, None)
    finally:
        program.close()
    return Answers(
        {item.id: _letter(letters.get(item.id)) for item in sheet.questions},
        {free.id: str(texts.get(free.id) or "").strip()[:MOST_TEXT] for free in sheet.free},
        no_letters,
        no_texts,
    )


def _read_dictionary(program: Program, name: str) -> tuple[dict[Any, Any], Ending | None]:
    """A dictionary of the program; none and how reading it ended."""
    try:
        session, names = program.check()
        with session.current():
            value = read(names, name)
    except Exception as error:
        found = ending(error)
        if found.outcome is Outcome.GRADER_ERROR:
            raise GraderError(found.says) from error
        program.end_of_check(error)
        return {}, found
    if isinstance(value, dict):
        return value, None
    says = f"{name} is no dictionary any more: restore it from the stub"
    return {}, Ending(Outcome.WRONG_VALUE, says)


def _letter(answer: object) -> str:
    """The letter that somebody meant: capitals, brackets and spaces around it do not matter."""
    return answer.strip(" \t\n().").lower() if isinstance(answer, str) else ""


def mark_answers(sheet: Sheet, answers: Answers, worth: Mapping[str, Decimal]) -> tuple[Check, ...]:
    """One check a question; ``worth`` are their points."""
    ends = {item.id: _judge(item, answers) for item in sheet.questions}
    return _checks(sheet, answers, ends, FOR_A_PERSON, worth)


def public_answers(sheet: AnySheet, answers: Answers) -> tuple[Check, ...]:
    """One check a question, worth nothing and blind to right and wrong: has it an answer?"""
    ends = {item.id: _among(item, answers) for item in sheet.questions}
    return _checks(sheet, answers, ends, PASSED, {})


def explanations(sheet: Sheet, answers: Answers) -> tuple[Message, ...]:
    """A message for each wrong choice: what is wrong about it."""
    chosen = [(item, answers.letters.get(item.id, "")) for item in sheet.questions]
    wrong = [(item, letter) for item, letter in chosen if letter in item.wrong]
    return tuple(
        Message(
            mistake=f"{item.id}_{letter}",
            checks=(item.id,),
            failed=len(wrong),
            asked="",
            difference=readable(f"you chose {letter}: {item.choices[letter]}"),
            says=readable(item.wrong[letter]),
            hint="",
        )
        for item, letter in wrong
    )


def _among(item: AskedQuestion, answers: Answers) -> Ending:
    letter = answers.letters.get(item.id, "")
    if answers.no_letters or not letter:
        return answers.no_letters or UNANSWERED
    if letter not in item.choices:
        choices = ", ".join(item.choices)
        return Ending(Outcome.WRONG_VALUE, f"the answer should be one of {choices}; yours is {letter[:20]}")
    return PASSED


def _judge(item: Question, answers: Answers) -> Ending:
    found = _among(item, answers)
    if found is PASSED and answers.letters[item.id] != item.right:
        return Ending(Outcome.WRONG_VALUE, "another choice is right")
    return found


def _checks(
    sheet: AnySheet,
    answers: Answers,
    ends: Mapping[str, Ending],
    written: Ending,
    worth: Mapping[str, Decimal],
) -> tuple[Check, ...]:
    """One check a question; ``written`` is how an answer in words ends, where there is one."""
    free = {
        item.id: answers.no_texts or (written if answers.texts.get(item.id) else UNANSWERED)
        for item in sheet.free
    }
    return tuple(
        Check(
            name=name,
            kind=KIND,
            says=name,
            outcome=end.outcome,
            points=worth.get(name, NOTHING) if end is PASSED else NOTHING,
            max_points=worth.get(name, NOTHING),
            message=end.says,
            answer=answers.texts.get(name, "") if end is FOR_A_PERSON else "",
        )
        for name, end in {**ends, **free}.items()
    )
