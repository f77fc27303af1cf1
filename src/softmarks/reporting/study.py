"""What a learner on their own is told after an exercise: why it works, first tries, model answers."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding

from softmarks.course.formulas import readable
from softmarks.course.sheets import FreeQuestion
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import counted
from softmarks.verdict import ExerciseVerdict


def print_explanation(console: Console, text: str) -> None:
    """Print an explanation that is written in Markdown."""
    if text:
        _print_markdown(console, text)
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
    _print_markdown(console, f"**{question.id}**: a model answer\n\n> {' '.join(question.answer.split())}")


def _print_markdown(console: Console, text: str) -> None:
    console.print(Padding(Markdown(readable(text)), (0, 2)), width=Pen(console).width)
