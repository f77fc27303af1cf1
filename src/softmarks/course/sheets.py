"""A question sheet: multiple-choice questions and free answers, ``solutions/<assignment>/<sheet>.yml``.

From this one file come the stub that a student fills in, the right answers, and what each wrong
choice is told. A free answer is read by a person, against a rubric.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from softmarks.course.course import Exercise
from softmarks.course.faults import course_error, faults_of
from softmarks.course.located import read_document

ANSWERS, FREE_ANSWERS = "ANSWERS", "FREE_ANSWERS"
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
    cells = [_markdown(list(_opening(sheet, exercise)))]
    for question in sheet.questions:
        choices = [_filled(f"- **{letter}** {says}", "  ") for letter, says in question.choices.items()]
        cells.append(_markdown([f"## {question.id}", _filled(question.ask), "\n".join(choices)]))
    for free in sheet.free:
        cells.append(_markdown([f"## {free.id}", _filled(free.ask)]))
    answers = {question.id: (None, "one of " + ", ".join(question.choices)) for question in sheet.questions}
    cells.append("# %%\n" + _dictionary(ANSWERS, answers))
    if sheet.free:
        cells.append("# %%\n" + _texts({free.id: "\n" for free in sheet.free}))
    return "\n\n".join(cells) + "\n"


def program(sheet: Sheet, answers: Mapping[str, str | None]) -> str:
    """A submission that gives these answers, and the model answers to what is asked in words."""
    text = _dictionary(ANSWERS, {name: (letter, "") for name, letter in answers.items()})
    if sheet.free:
        text += "\n" + _texts({free.id: f"\n{_filled(free.answer)}\n" for free in sheet.free})
    return text + "\n"


def right_answers(sheet: Sheet) -> dict[str, str | None]:
    """The right letter of each question."""
    return {question.id: question.right for question in sheet.questions}


def reasons(sheet: Sheet) -> str:
    """Why each right answer is right, in Markdown."""
    return "\n\n".join(f"**{item.id}**: {item.right}. {item.because}" for item in sheet.questions) + "\n"


def _opening(sheet: Sheet, exercise: Exercise) -> Iterator[str]:
    count = len(sheet.questions) + len(sheet.free)
    yield f"# {exercise.title}"
    yield f"{exercise.minutes} minutes, {count} questions."
    yield from (_filled(paragraph) for paragraph in sheet.about.split("\n\n"))
    yield _filled(f'Write the letter of your choice in quotes into `{ANSWERS}` at the end, such as `"b"`.')
    if sheet.free:
        yield _filled(
            f"What is asked in words goes between the quotes in `{FREE_ANSWERS}`. In a class a person "
            "reads it; alone you compare it with a model answer, once the letters are right."
        )
    yield _filled(
        "Your first answer to each question is remembered when you check this sheet with `softmarks check`. "
        "It costs nothing."
    )


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _markdown(blocks: Sequence[str]) -> str:
    lines = "\n\n".join(blocks).split("\n")
    return "\n".join(["# %% [markdown]", *(f"# {line}".rstrip() for line in lines)])


def _dictionary(name: str, entries: Mapping[str, tuple[str | None, str]]) -> str:
    lines = []
    for key, (value, comment) in entries.items():
        written = "None" if value is None else f'"{value}"'
        lines.append(f'    "{key}": {written},' + (f"  # {comment}" if comment else ""))
    return "\n".join([f"{name} = {{", *lines, "}"])


def _texts(entries: Mapping[str, str]) -> str:
    lines = [f'    "{key}": """{text}""",' for key, text in entries.items()]
    return "\n".join([f"{FREE_ANSWERS} = {{", *lines, "}"])
