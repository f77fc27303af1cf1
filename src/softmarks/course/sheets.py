"""A question sheet: multiple-choice questions and free answers, ``solutions/<assignment>/<sheet>.yml``.

From this one file come the stub that a student fills in, the right answers, and what each wrong
choice is told. A free answer is read by a person, against a rubric.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from softmarks.course.course import Exercise
from softmarks.course.faults import course_error, faults_of
from softmarks.course.located import read_document
from softmarks.errors import GraderError
from softmarks.verdict import deal

ANSWERS, FREE_ANSWERS = "ANSWERS", "FREE_ANSWERS"
KIND = "question"  # of a sheet's checks
WIDTH = 96

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Letter = Annotated[str, StringConstraints(pattern=r"^[a-h]$")]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z0-9]+)*$")]


_S = TypeVar("_S", bound=BaseModel)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Asked(_Part):
    id: Id
    ask: Text


class AskedQuestion(_Asked):
    """One question as it is asked: with its choices."""

    choices: dict[Letter, Text] = Field(min_length=2)


class Question(AskedQuestion):
    """One question: its choices, the right one and why, and why each of the others is wrong."""

    right: Letter
    because: Text
    wrong: dict[Letter, Text]

    @model_validator(mode="after")
    def _every_choice_is_explained(self) -> Self:
        if self.right not in self.choices:
            raise ValueError(f'should have a choice "{self.right}", which it calls right')
        if list(self.wrong) != [letter for letter in self.choices if letter != self.right]:
            raise ValueError('should explain, under "wrong", every choice but the right one, in their order')
        return self


class FreeQuestion(_Asked):
    """A question with an answer in words: a model answer, and what a person looks for in one."""

    answer: Text
    rubric: tuple[Text, ...] = Field(min_length=1)


class AskedSheet(_Part):
    """The questions of one assignment as they are asked: what an edition without answers holds."""

    questions: tuple[AskedQuestion, ...] = Field(min_length=1)
    free: tuple[_Asked, ...] = ()


class Sheet(_Part):
    """The questions of one assignment, in their order."""

    about: Text
    questions: tuple[Question, ...] = Field(min_length=1)
    free: tuple[FreeQuestion, ...] = ()

    @model_validator(mode="after")
    def _ids_differ(self) -> Self:
        ids = [asked.id for asked in self.asked]
        for position, name in enumerate(ids):
            if name in ids[:position]:
                raise ValueError(f'should not have two questions "{name}"')
        return self

    @property
    def asked(self) -> tuple[Question | FreeQuestion, ...]:
        """All questions, the free ones last."""
        return (*self.questions, *self.free)

    @property
    def names(self) -> tuple[str, ...]:
        """What a student's file must define."""
        return (ANSWERS, FREE_ANSWERS) if self.free else (ANSWERS,)


def read_sheet(path: Path) -> Sheet:
    """Read a sheet. Raises CourseError with the line of each fault."""
    return _read(path, Sheet)


def read_asked(path: Path) -> AskedSheet:
    """Read a sheet without answers. Raises CourseError with the line of each fault."""
    return _read(path, AskedSheet)


def as_asked(sheet: Sheet) -> str:
    """A sheet without answers, as the text of its file."""
    questions = [item.model_dump(include={"id", "ask", "choices"}) for item in sheet.questions]
    free = [item.model_dump(include={"id", "ask"}) for item in sheet.free]
    return yaml.safe_dump({"questions": questions, "free": free}, sort_keys=False, allow_unicode=True)


def _read(path: Path, kind: type[_S]) -> _S:
    document = read_document(path)
    try:
        return kind.model_validate(document.value)
    except ValidationError as error:
        raise course_error(faults_of(error, _SECTIONS), document) from None


_SECTIONS: Mapping[str, Sequence[str]] = {
    "": tuple(Sheet.model_fields),
    "questions": tuple(Question.model_fields),
    "free": tuple(FreeQuestion.model_fields),
}


def stub_text(sheet: Sheet, exercise: Exercise) -> str:
    """The file that a student fills in: a percent script with the questions and empty answers."""
    where = (
        f"What is asked in words goes between the quotes in `{FREE_ANSWERS}`. In a class a person "
        "reads it; alone you compare it with a model answer, once the letters are right."
    )
    remembered = (
        "Your first answer to each question is remembered when you check this sheet with `softmarks check`. "
        "It costs nothing."
    )
    opening = _joined(
        [about(sheet, exercise), *([_filled(where)] if sheet.free else []), _filled(remembered)]
    )
    cells = [_markdown(text) for text in (opening, *map(asked_text, sheet.asked))]
    cells.append("# %%\n" + empty_answers(sheet))
    if sheet.free:
        cells.append("# %%\n" + _texts({free.id: "\n" for free in sheet.free}))
    return "\n\n".join(cells) + "\n"


def about(sheet: Sheet, exercise: Exercise) -> str:
    """The head of a sheet, in Markdown: what it is about, how long it takes, where the letters go."""
    count = len(sheet.questions) + len(sheet.free)
    where = f'Write the letter of your choice in quotes into `{ANSWERS}` at the end, such as `"b"`.'
    return _joined(
        [
            f"# {exercise.title}",
            f"{exercise.minutes} minutes, {count} questions.",
            *(_filled(paragraph) for paragraph in sheet.about.split("\n\n")),
            _filled(where),
        ]
    )


def asked_text(asked: Question | FreeQuestion) -> str:
    """A question as it is asked, in Markdown."""
    blocks = [f"## {asked.id}", _filled(asked.ask)]
    if isinstance(asked, Question):
        choices = asked.choices.items()
        blocks.append("\n".join(_filled(f"- **{letter}** {says}", "  ") for letter, says in choices))
    return _joined(blocks)


def empty_answers(sheet: Sheet) -> str:
    """The dictionary that waits for letters."""
    return _dictionary(
        ANSWERS,
        {question.id: (None, "one of " + ", ".join(question.choices)) for question in sheet.questions},
    )


def letters(answers: Mapping[str, str | None]) -> str:
    """The dictionary with these letters."""
    return _dictionary(ANSWERS, {name: (letter, "") for name, letter in answers.items()})


def program(sheet: Sheet, answers: Mapping[str, str | None]) -> str:
    """A submission that gives these answers, and the model answers to what is asked in words."""
    text = letters(answers)
    if sheet.free:
        text += "\n" + _texts({free.id: f"\n{_filled(free.answer)}\n" for free in sheet.free})
    return text + "\n"


def right_answers(sheet: Sheet) -> dict[str, str | None]:
    """The right letter of each question."""
    return {question.id: question.right for question in sheet.questions}


def worths(sheet: Sheet, points: Decimal, judged: Decimal) -> dict[str, Decimal]:
    """The points of each question: the free ones share what is ``judged`` by a person, the others the rest.

    Raises GraderError when there are too few for every question to be worth something.
    """
    try:
        found = deal(points - judged, {item.id: KIND for item in sheet.questions}, {KIND: Fraction(1)})
        if sheet.free:
            found |= deal(judged, {item.id: KIND for item in sheet.free}, {KIND: Fraction(1)})
    except ValueError as error:
        raise GraderError(str(error)) from error
    return found


def reasons(sheet: Sheet) -> str:
    """Why each right answer is right, in Markdown."""
    return "\n\n".join(f"**{item.id}**: {item.right}. {item.because}" for item in sheet.questions) + "\n"


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _joined(blocks: Sequence[str]) -> str:
    return "\n\n".join(blocks)


def _markdown(text: str) -> str:
    return "\n".join(["# %% [markdown]", *(f"# {line}".rstrip() for line in text.split("\n"))])


def _dictionary(name: str, entries: Mapping[str, tuple[str | None, str]]) -> str:
    lines = []
    for key, (value, comment) in entries.items():
        written = "None" if value is None else f'"{value}"'
        lines.append(f'    "{key}": {written},' + (f"  # {comment}" if comment else ""))
    return "\n".join([f"{name} = {{", *lines, "}"])


def _texts(entries: Mapping[str, str]) -> str:
    lines = [f'    "{key}": """{text}""",' for key, text in entries.items()]
    return "\n".join([f"{FREE_ANSWERS} = {{", *lines, "}"])
