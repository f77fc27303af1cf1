"""What a learner on their own is told after an exercise: why it works, first tries, model answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, MarkdownElement
from rich.padding import Padding
from rich.syntax import Syntax
from rich.theme import Theme

from softmarks.course.formulas import FENCED, readable
from softmarks.course.sheets import FreeQuestion
from softmarks.grading.own_work import GivenHint
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import counted
from softmarks.verdict import ExerciseVerdict

OWN_COLOURS = Theme({"markdown.code": "cyan"})  # no boxes: they are black in a light terminal too


def print_explanation(console: Console, text: str) -> None:
    """Print an explanation that is written in Markdown."""
    if text:
        print_markdown(console, text)
        console.print()


def print_first_tries(console: Console, verdict: ExerciseVerdict, tries: Mapping[str, bool]) -> None:
    """Say how many questions were right when they were answered first."""
    asked = [check.name for check in verdict.checks if check.name in tries]
    if asked:
        right = sum(tries[name] for name in asked)
        pen = Pen(console)
        pen.show(pen.write(f"Right at the first try: {right} of {counted(len(asked), 'question')}.", "dim"))
        pen.skip()


def print_model_answer(console: Console, question: FreeQuestion) -> None:
    """Print a model answer to a question that is answered in words."""
    print_markdown(console, model_answer(question))


def model_answer(question: FreeQuestion) -> str:
    """A model answer in Markdown."""
    return f"**{question.id}**: a model answer\n\n> {' '.join(question.answer.split())}"


def print_markdown(console: Console, text: str) -> None:
    """Print text that is written in Markdown, formulas as plain text."""
    page = _Page(readable(text, FENCED))
    with console.use_theme(OWN_COLOURS):
        console.print(Padding(page, (0, 2)), width=Pen(console).width)


class _Block(CodeBlock):
    """A block of code or a formula: in the colours of the terminal, with no empty lines of its own."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Syntax(
            str(self.text).rstrip(), self.lexer_name, theme="ansi_dark", word_wrap=True, padding=(0, 2)
        )


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": _Block,
        "code_block": _Block,
    }


def print_program(console: Console, title: str, text: str) -> None:
    """Print a program under a title."""
    pen = Pen(console)
    pen.show(pen.write(title, "bold"))
    console.print(
        Padding(Syntax(text.strip(), "python", background_color="default", word_wrap=True), (0, 2)),
        width=pen.width,
    )
    pen.skip()


def print_hint(console: Console, hint: GivenHint, how: str) -> None:
    """Print a hint, and say that it is free and how to get the next one: ``how`` is a command or a key."""
    print_markdown(console, f"**Hint {hint.number} of {hint.most}**\n\n{hint.text}")
    more = f"{how} gives the next one." if hint.number < hint.most else "That was the last one."
    pen = Pen(console)
    pen.skip()
    pen.show(pen.write(f"Hints are free. {more}", "dim"), indent=2)
